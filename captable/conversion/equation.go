package conversion

import "math/big"

// equation is a linear equation in the unknowns.
type equation struct {
	left  [unknowns]*big.Rat
	right *big.Rat
}

// newEquation returns an equation with zero coefficients and a copy of the right-hand side.
func newEquation(right *big.Rat) equation {
	e := equation{right: new(big.Rat).Set(right)}
	for i := range e.left {
		e.left[i] = new(big.Rat)
	}
	return e
}

// eliminate solves a square system of equations exactly and overwrites it. ok is false if there is no unique
// solution.
func eliminate(equations []equation) (x point, ok bool) {
	for i := range equations {
		if !pivot(equations, i) {
			return x, false
		}
		equations[i].divide(new(big.Rat).Set(equations[i].left[i]))
		for n := range equations {
			if n != i {
				equations[n].less(equations[i], new(big.Rat).Set(equations[n].left[i]))
			}
		}
	}
	for i, e := range equations {
		x[i] = e.right
	}
	return x, true
}

// pivot swaps an equation with a nonzero coefficient of unknown i to position i.
func pivot(equations []equation, i int) bool {
	for n := i; n < len(equations); n++ {
		if equations[n].left[i].Sign() != 0 {
			equations[i], equations[n] = equations[n], equations[i]
			return true
		}
	}
	return false
}

func (e equation) divide(by *big.Rat) {
	for _, number := range e.left {
		number.Quo(number, by)
	}
	e.right.Quo(e.right, by)
}

// less subtracts a multiple of the other equation.
func (e equation) less(other equation, times *big.Rat) {
	product := new(big.Rat)
	for i, number := range e.left {
		number.Sub(number, product.Mul(other.left[i], times))
	}
	e.right.Sub(e.right, product.Mul(other.right, times))
}

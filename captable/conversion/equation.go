package conversion

import "math/big"

// equation is a linear equation in the unknowns.
type equation struct {
	left  [unknowns]*big.Rat
	right *big.Rat
}

// newEquation has nothing on the left and a copy of the number on the right.
func newEquation(right *big.Rat) equation {
	e := equation{right: new(big.Rat).Set(right)}
	for i := range e.left {
		e.left[i] = new(big.Rat)
	}
	return e
}

// eliminate solves as many equations as there are unknowns, exactly; it uses them up.
// It is not ok when they have no solution or many.
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

// pivot brings an equation in which unknown i occurs to place i.
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

// less takes the other equation off, so many times.
func (e equation) less(other equation, times *big.Rat) {
	product := new(big.Rat)
	for i, number := range e.left {
		number.Sub(number, product.Mul(other.left[i], times))
	}
	e.right.Sub(e.right, product.Mul(other.right, times))
}

package waterfall

import (
	"cmp"
	"math/big"
	"math/bits"
	"slices"
)

// keyBits is the number of bits of a fraction of a unit. Denominators of one word have at most as many.
const keyBits = 62

// quantity is a number of shares. small is the same number if it is whole and fits in a word; otherwise it is 0.
type quantity struct {
	all   *big.Rat
	small uint64
}

func quantityOf(shares *big.Rat) quantity {
	made := quantity{all: shares}
	if shares.IsInt() && shares.Num().IsUint64() {
		made.small = shares.Num().Uint64()
	}
	return made
}

// perShare is the payment per share in units of the last decimal place, part over whole, not in lowest terms. n and d are
// the same if both fit in a word; otherwise d is 0.
type perShare struct {
	part, whole *big.Int
	n, d        uint64
}

// perShareOf divides a payment by a number of shares, possibly 0.
func perShareOf(paid, shares *big.Rat, unit *big.Int) *perShare {
	value := zero()
	if shares.Sign() > 0 {
		value.Quo(paid, shares)
	}
	made := &perShare{part: new(big.Int).Mul(value.Num(), unit), whole: value.Denom()}
	if made.part.IsUint64() && made.whole.BitLen() <= keyBits {
		made.n, made.d = made.part.Uint64(), made.whole.Uint64()
	}
	return made
}

// rest is the remainder of rounding a row down, with its fraction of a unit in multiples of 2^-62, so that exact
// comparisons are rare.
type rest struct {
	key uint64
	row int
}

// compareRests orders the remainders of two rows by decreasing fraction.
func (r *row) compareRests(other *row) int {
	if r.large == nil && other.large == nil {
		high, low := bits.Mul64(r.rest, other.each.d)
		otherHigh, otherLow := bits.Mul64(other.rest, r.each.d)
		return cmp.Or(cmp.Compare(otherHigh, high), cmp.Compare(otherLow, low))
	}
	part, whole := r.remainder()
	otherPart, otherWhole := other.remainder()
	return new(big.Int).Mul(otherPart, whole).Cmp(new(big.Int).Mul(part, otherWhole))
}

// remainder returns the remainder as part over whole.
func (r *row) remainder() (part, whole *big.Int) {
	if r.large == nil {
		return new(big.Int).SetUint64(r.rest), new(big.Int).SetUint64(r.each.d)
	}
	part, whole = new(big.Int).Mul(r.each.part, r.shares.all.Num()), new(big.Int).Mul(r.each.whole, r.shares.all.Denom())
	return part.Rem(part, whole), whole
}

// divide rounds the row down and returns the key of the remainder. It returns false for a row without a remainder. Most
// payments fit in words, which makes the rounding about ten times faster.
func (r *row) divide() (key uint64, remains bool) {
	if high, low := bits.Mul64(r.each.n, r.shares.small); r.shares.small > 0 && high < r.each.d>>1 { // one unit more still fits
		r.units, r.rest = bits.Div64(high, low, r.each.d)
		key, _ = bits.Div64(r.rest>>(64-keyBits), r.rest<<keyBits, r.each.d) //nolint:mnd // bits of a word
		return key, r.rest > 0
	}
	part, whole := new(big.Int).Mul(r.each.part, r.shares.all.Num()), new(big.Int).Mul(r.each.whole, r.shares.all.Denom())
	r.large = new(big.Int)
	r.large.QuoRem(part, whole, part)
	fraction := new(big.Int).Lsh(part, keyBits)
	return fraction.Quo(fraction, whole).Uint64(), part.Sign() > 0
}

// amount returns the rounded payment. A small one is written to buffer.
func (r *row) amount(buffer *big.Int) *big.Int {
	if r.large != nil {
		return r.large
	}
	return buffer.SetUint64(r.units)
}

// share rounds the rows to units such that they sum to the total, which is their exact sum rounded down. Each
// row is rounded down, and the missing units go to the largest remainders, ties to the earlier row. It returns the
// sum in units. Fractions are not reduced, because that would dominate the cost.
func share(rows []row, total *big.Rat, unit *big.Int) *big.Int {
	given, buffer := new(big.Int), new(big.Int)
	rests := make([]rest, 0, len(rows))
	for i := range rows {
		if key, remains := rows[i].divide(); remains {
			rests = append(rests, rest{key, i})
		}
		given.Add(given, rows[i].amount(buffer))
	}
	slices.SortFunc(rests, func(a, b rest) int {
		if a.key != b.key {
			return cmp.Compare(b.key, a.key)
		}
		return cmp.Or(rows[a.row].compareRests(&rows[b.row]), cmp.Compare(a.row, b.row))
	})
	sum := new(big.Int).Mul(total.Num(), unit)
	sum.Quo(sum, total.Denom())
	missing := new(big.Int).Sub(sum, given).Int64()
	for _, r := range rests[:missing] {
		if large := rows[r.row].large; large != nil {
			large.Add(large, big.NewInt(1))
		} else {
			rows[r.row].units++
		}
	}
	return sum
}

package waterfall

import (
	"math/big"
	"strconv"

	"equity/captable/exact"
)

// Fault is one term of a stack that cannot be computed with.
type Fault struct {
	// Pointer is the JSON pointer to it from the stack, such as /classes/1/ratio.
	Pointer string
	// Code is stable: negative, enum, belowPreference, notBelowOne, moreThanGranted, capsTakeAll.
	Code string
	// Message is a sentence for people.
	Message string
}

type faults []Fault

func (f *faults) add(pointer, code, message string) { *f = append(*f, Fault{pointer, code, message}) }

func (f *faults) notNegative(pointer string, d exact.Decimal) {
	if d.Sign() < 0 {
		f.add(pointer, "negative", "The number is not negative.")
	}
}

// Faults lists everything that is wrong with the stack; [Stack.Pay] wants none.
func (s Stack) Faults() []Fault {
	var f faults
	one := exact.NewDecimal(1)
	f.notNegative("/costs", s.Costs)
	f.notNegative("/costRate", s.CostRate)
	if s.CostRate.Cmp(one) > 0 {
		f.add("/costRate", "notBelowOne", "The costs are no more than the price.")
	}
	for i, class := range s.Classes {
		class.faults(&f, "/classes/"+strconv.Itoa(i))
	}
	for i, option := range s.Options {
		pointer := "/options/" + strconv.Itoa(i)
		f.notNegative(pointer+"/strike", option.Strike)
		f.notNegative(pointer+"/quantity", option.Quantity)
		f.notNegative(pointer+"/ratio", option.Ratio)
		if option.Granted.Cmp(option.Quantity) < 0 {
			f.add(pointer+"/granted", "moreThanGranted", "No more is exercised than was granted.")
		}
	}
	taken := new(big.Rat)
	for i, c := range s.Convertibles {
		pointer := "/convertibles/" + strconv.Itoa(i)
		f.notNegative(pointer+"/cashOut", c.CashOut)
		f.notNegative(pointer+"/amount", c.Amount)
		f.notNegative(pointer+"/cap", c.Cap)
		f.notNegative(pointer+"/discount", c.Discount)
		if c.Discount.Cmp(one) >= 0 {
			f.add(pointer+"/discount", "notBelowOne", "A discount is what is taken off: less than 1.")
		}
		if c.PostMoney && c.Cap.Sign() > 0 {
			taken.Add(taken, new(big.Rat).Quo(c.Amount.Rat(), c.Cap.Rat()))
		}
	}
	if taken.Cmp(one.Rat()) >= 0 {
		f.add("/convertibles", "capsTakeAll", "The post-money caps leave nothing for anybody else.")
	}
	return f
}

func (c Class) faults(f *faults, pointer string) {
	f.notNegative(pointer+"/price", c.Price)
	f.notNegative(pointer+"/multiple", c.Multiple)
	f.notNegative(pointer+"/ratio", c.Ratio)
	switch c.Participation {
	case "", None, Full:
	case Capped:
		if c.CapMultiple.Cmp(c.Multiple) < 0 {
			f.add(pointer+"/capMultiple", "belowPreference", "The cap is no less than the preference.")
		}
	default:
		f.add(pointer+"/participation", "enum", "The participation is none, full or capped.")
	}
	for i, held := range c.Holdings {
		f.notNegative(pointer+"/holdings/"+strconv.Itoa(i)+"/shares", held.Shares)
	}
}

package waterfall

import (
	"math/big"
	"strconv"

	"equity/captable/exact"
)

// Fault is an invalid term of a stack.
type Fault struct {
	// Pointer is a JSON pointer relative to the stack, such as /classes/1/ratio.
	Pointer string
	// Code is stable: negative, enum, belowPreference, notBelowOne, moreThanGranted, capsTakeAll.
	Code string
	// Message is a readable sentence.
	Message string
}

type faults []Fault

func (f *faults) add(pointer, code, message string) { *f = append(*f, Fault{pointer, code, message}) }

func (f *faults) notNegative(pointer string, d exact.Decimal) {
	if d.Sign() < 0 {
		f.add(pointer, "negative", "The number must not be negative.")
	}
}

// Faults returns all faults of the stack. [Stack.Pay] requires a stack without faults.
func (s Stack) Faults() []Fault {
	var f faults
	one := exact.NewDecimal(1)
	f.notNegative("/costs", s.Costs)
	f.notNegative("/costRate", s.CostRate)
	if s.CostRate.Cmp(one) > 0 {
		f.add("/costRate", "notBelowOne", "costRate must not exceed 1.")
	}
	for i, class := range s.Classes {
		class.faults(&f, "/classes/"+strconv.Itoa(i))
	}
	for i, option := range s.Options {
		pointer := "/options/" + strconv.Itoa(i)
		f.notNegative(pointer+"/strike", option.Strike)
		f.notNegative(pointer+"/quantity", option.Quantity)
		f.notNegative(pointer+"/ratio", option.Ratio)
		if option.Of != nil {
			option.Of.faults(&f, pointer+"/of")
		}
		if option.Granted.Cmp(option.Quantity) < 0 {
			f.add(pointer+"/granted", "moreThanGranted", "The quantity must not exceed the granted quantity.")
		}
	}
	taken := new(big.Rat)
	for i, c := range s.Convertibles {
		pointer := "/convertibles/" + strconv.Itoa(i)
		f.notNegative(pointer+"/cashOut", c.CashOut)
		f.notNegative(pointer+"/amount", c.Amount)
		f.notNegative(pointer+"/cap", c.Cap)
		f.notNegative(pointer+"/discount", c.Discount)
		if c.Into != nil {
			c.Into.faults(&f, pointer+"/into")
		}
		if c.Discount.Cmp(one) >= 0 {
			f.add(pointer+"/discount", "notBelowOne", "The discount must be below 1.")
		}
		if c.PostMoney && c.Cap.Sign() > 0 {
			taken.Add(taken, new(big.Rat).Quo(c.Amount.Rat(), c.Cap.Rat()))
		}
	}
	if taken.Cmp(one.Rat()) >= 0 {
		f.add("/convertibles", "capsTakeAll", "The post-money caps claim the whole company.")
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
			f.add(pointer+"/capMultiple", "belowPreference", "The cap must not be below the preference.")
		}
	default:
		f.add(pointer+"/participation", "enum", "participation must be none, full or capped.")
	}
	for i, held := range c.Holdings {
		f.notNegative(pointer+"/holdings/"+strconv.Itoa(i)+"/shares", held.Shares)
	}
}

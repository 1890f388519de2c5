package captabletest

import (
	"fmt"
	"reflect"

	"equity/captable"
	"equity/captable/exact"
)

// Fill sets every field to a distinct nonzero value, counted by next. It panics for a kind that records do not have.
func Fill(v reflect.Value, next *int) {
	*next++
	switch target := v.Addr().Interface().(type) {
	case *captable.Decimal:
		*target = exact.MustDecimal(fmt.Sprintf("%d.25", *next))
		return
	case *captable.Date:
		*target = exact.MustDate("2020-01-01") + captable.Date(*next)
		return
	}
	switch v.Kind() { //nolint:exhaustive // records have no other kinds
	case reflect.Struct:
		for _, field := range v.Fields() {
			Fill(field, next)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		Fill(v.Elem(), next)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		Fill(v.Index(0), next)
		Fill(v.Index(1), next)
	case reflect.Array:
		v.Index(0).SetUint(1)
		v.Index(v.Len() - 1).SetUint(uint64(*next))
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d", *next))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(*next))
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(*next))
	default:
		panic("Fill does not support " + v.Type().String())
	}
}

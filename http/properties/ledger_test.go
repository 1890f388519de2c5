package properties_test

import (
	"cmp"
	"maps"
	"math/big"
	"slices"
	"strings"

	"equity/captable"
)

// inPackage checks that the transactions of the package sum to the outstanding shares of each
// class. A split multiplies the shares of its class and rounds down to whole shares.
func (c *company) inPackage(day captable.Date, table map[string]any) {
	_, files := c.export(day)
	var transactions []map[string]any
	names := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !strings.HasSuffix(name, ".json") {
			continue
		}
		file, _ := parsed(files[name]).(map[string]any)
		for _, item := range list(file["items"]) {
			switch {
			case item["object_type"] == "STOCK_CLASS":
				names[text(item["id"])] = text(item["name"])
			case strings.HasPrefix(text(item["object_type"]), "TX_"):
				transactions = append(transactions, item)
			}
		}
	}
	inOrder(transactions)
	stock, classOf := map[string]*big.Rat{}, map[string]string{}
	for _, tx := range transactions {
		security := text(tx["security_id"])
		switch kind := text(tx["object_type"]); kind {
		case "TX_STOCK_ISSUANCE":
			stock[security], classOf[security] = rational(tx["quantity"]), text(tx["stock_class_id"])
		case "TX_STOCK_CANCELLATION", "TX_STOCK_TRANSFER", "TX_STOCK_REPURCHASE", "TX_STOCK_CONVERSION", "TX_STOCK_RETRACTION", "TX_STOCK_REISSUANCE":
			delete(stock, security)
		case "TX_STOCK_CLASS_SPLIT":
			ratio, _ := tx["split_ratio"].(map[string]any)
			for id, quantity := range stock {
				if classOf[id] == text(tx["stock_class_id"]) {
					scaled := new(big.Rat).Mul(quantity, new(big.Rat).Quo(rational(ratio["numerator"]), rational(ratio["denominator"])))
					stock[id] = new(big.Rat).SetInt(new(big.Int).Quo(scaled.Num(), scaled.Denom()))
				}
			}
		}
	}
	outstanding := map[string]*big.Rat{}
	for id, quantity := range stock {
		name := names[classOf[id]]
		outstanding[name] = plus(orZero(outstanding[name]), quantity)
	}
	for _, class := range list(table["securities"]) {
		c.equal(day, "the shares of "+text(class["name"])+" in the package", orZero(outstanding[text(class["name"])]), rational(class["outstanding"]))
	}
}

// inOrder sorts transactions by day. Within a day, issuances precede splits and all others,
// unless a comment states that an issuance follows a split. The transactions of such a day keep
// the order of the package.
func inOrder(transactions []map[string]any) {
	kept := map[string]bool{}
	for _, tx := range transactions {
		comments, _ := tx["comments"].([]any)
		if slices.Contains(comments, any("Issued after the split of the day.")) {
			kept[text(tx["date"])] = true
		}
	}
	rank := func(tx map[string]any) int {
		if kept[text(tx["date"])] || text(tx["object_type"]) == "TX_STOCK_ISSUANCE" {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(transactions, func(a, b map[string]any) int {
		return cmp.Or(cmp.Compare(text(a["date"]), text(b["date"])), cmp.Compare(rank(a), rank(b)))
	})
}

package ocf

import (
	"slices"
	"strings"
)

// File types.
const (
	fileManifest     = "OCF_MANIFEST_FILE"
	fileStakeholders = "OCF_STAKEHOLDERS_FILE"
	fileClasses      = "OCF_STOCK_CLASSES_FILE"
	fileLegends      = "OCF_STOCK_LEGEND_TEMPLATES_FILE"
	filePlans        = "OCF_STOCK_PLANS_FILE"
	fileVesting      = "OCF_VESTING_TERMS_FILE"
	fileValuations   = "OCF_VALUATIONS_FILE"
	fileTransactions = "OCF_TRANSACTIONS_FILE"
	fileFinancings   = "OCF_FINANCINGS_FILE"
	fileDocuments    = "OCF_DOCUMENTS_FILE"
)

// Object types that the import handles explicitly.
const (
	typeIssuer        = "ISSUER"
	typeStakeholder   = "STAKEHOLDER"
	typeClass         = "STOCK_CLASS"
	typeLegend        = "STOCK_LEGEND_TEMPLATE"
	typeValuation     = "VALUATION"
	typeFinancing     = "FINANCING"
	typePlan          = "STOCK_PLAN"
	typeVesting       = "VESTING_TERMS"
	typeIssuance      = "TX_STOCK_ISSUANCE"
	typeAcceptance    = "TX_STOCK_ACCEPTANCE"
	typeRetraction    = "TX_STOCK_RETRACTION"
	typeCancellation  = "TX_STOCK_CANCELLATION"
	typeTransfer      = "TX_STOCK_TRANSFER"
	typeConversion    = "TX_STOCK_CONVERSION"
	typeRepurchase    = "TX_STOCK_REPURCHASE"
	typeReissuance    = "TX_STOCK_REISSUANCE"
	typeConsolidation = "TX_STOCK_CONSOLIDATION"
	typeSplit         = "TX_STOCK_CLASS_SPLIT"
	typeAuthorized    = "TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT"
	typeRatio         = "TX_STOCK_CLASS_CONVERSION_RATIO_ADJUSTMENT"
	typeIssuerLimit   = "TX_ISSUER_AUTHORIZED_SHARES_ADJUSTMENT"
	typeReturn        = "TX_STOCK_PLAN_RETURN_TO_POOL"

	typePoolAdjustment = "TX_STOCK_PLAN_POOL_ADJUSTMENT"
	typeVestingStart   = "TX_VESTING_START"
	typeVestingEvent   = "TX_VESTING_EVENT"
	typeAcceleration   = "TX_VESTING_ACCELERATION"
	typeRepricing      = "TX_EQUITY_COMPENSATION_REPRICING"
)

// listing is one list of files in the manifest.
type listing struct {
	key  string // in the manifest
	file string // file_type of the files
	name string // name of the exported file
	// required lists appear in every manifest, even if empty.
	required bool
}

// listings returns the file lists in the order of reading and writing.
func listings() []listing {
	return []listing{
		{"stakeholders_files", fileStakeholders, "Stakeholders.ocf.json", true},
		{"stock_classes_files", fileClasses, "StockClasses.ocf.json", true},
		{"stock_legend_templates_files", fileLegends, "StockLegends.ocf.json", true},
		{"stock_plans_files", filePlans, "StockPlans.ocf.json", true},
		{"vesting_terms_files", fileVesting, "VestingTerms.ocf.json", true},
		{"valuations_files", fileValuations, "Valuations.ocf.json", true},
		{"transactions_files", fileTransactions, "Transactions.ocf.json", true},
		{"financings_files", fileFinancings, "Financings.ocf.json", false},
		{"documents_files", fileDocuments, "Documents.ocf.json", false},
	}
}

// kind describes an object type.
type kind struct {
	name, file string
	// An object without a required field is refused. A missing expected field, which the
	// schema requires but the cap table does not, is a warning.
	required, expected []string
	// fields holds all fields of the schema; nil for a type that is carried unchanged.
	fields map[string]bool
}

// kinds returns all object types of the format.
func kinds() map[string]kind {
	all := map[string]kind{}
	for file, types := range carriedTypes() {
		for name := range strings.FieldsSeq(types) {
			k := kind{name: name, file: file, required: []string{"id", "object_type"}}
			if isTransaction(name) {
				k.required = append(k.required, "date")
			}
			all[name] = k
		}
	}
	for _, k := range slices.Concat(
		understood(), understoodInstruments(), understoodGrants("TX_EQUITY_COMPENSATION_"), understoodGrants("TX_PLAN_SECURITY_"),
	) {
		required := append([]string{"id", "object_type"}, strings.Fields(k.required)...)
		expected := strings.Fields(k.expected)
		fields := map[string]bool{"comments": true}
		for _, name := range slices.Concat(required, expected, strings.Fields(k.optional)) {
			fields[name] = true
		}
		all[k.name] = kind{name: k.name, file: k.file, required: required, expected: expected, fields: fields}
	}
	return all
}

// carriedTypes returns the types that are carried unchanged, by file type.
func carriedTypes() map[string]string {
	return map[string]string{
		fileDocuments: "DOCUMENT",
		fileTransactions: `CE_STAKEHOLDER_RELATIONSHIP CE_STAKEHOLDER_STATUS
			TX_ISSUER_AUTHORIZED_SHARES_ADJUSTMENT
			TX_STOCK_PLAN_RETURN_TO_POOL
			TX_VESTING_START`,
	}
}

// isTransaction reports whether objects of the type have a transaction date.
func isTransaction(objectType string) bool {
	return strings.HasPrefix(objectType, "TX_") || strings.HasPrefix(objectType, "CE_")
}

type understoodKind struct{ name, file, required, expected, optional string }

// understood returns the types that the cap table supports, with the fields of their schemas.
func understood() []understoodKind {
	return []understoodKind{
		{typeStakeholder, fileStakeholders, "name stakeholder_type", "", `issuer_assigned_id current_relationship
			current_relationships current_status primary_contact contact_info addresses tax_ids`},
		{
			typeClass, fileClasses, "name class_type initial_shares_authorized", "default_id_prefix votes_per_share seniority",
			`board_approval_date stockholder_approval_date par_value price_per_share conversion_rights
			liquidation_preference_multiple participation_cap_multiple`,
		},
		{typeLegend, fileLegends, "name text", "", ""},
		{
			typeValuation, fileValuations, "price_per_share effective_date stock_class_id", "valuation_type",
			"provider board_approval_date stockholder_approval_date",
		},
		{typeFinancing, fileFinancings, "name issuance_ids date", "", ""},
		{typeVesting, fileVesting, "name", "description allocation_type vesting_conditions", ""},
		{
			typePlan, filePlans, "plan_name initial_shares_reserved", "",
			"board_approval_date stockholder_approval_date default_cancellation_behavior stock_class_id stock_class_ids",
		},
		{
			typePoolAdjustment, fileTransactions, "date stock_plan_id shares_reserved", "",
			"board_approval_date stockholder_approval_date",
		},
		{
			typeIssuance, fileTransactions, "date security_id stakeholder_id stock_class_id quantity",
			"custom_id share_price stock_legend_ids security_law_exemptions",
			`stock_plan_id share_numbers_issued vesting_terms_id vestings cost_basis issuance_type
			board_approval_date stockholder_approval_date consideration_text`,
		},
		{typeAcceptance, fileTransactions, "date security_id", "", ""},
		{typeRetraction, fileTransactions, "date security_id", "reason_text", ""},
		{typeCancellation, fileTransactions, "date security_id quantity", "reason_text", "balance_security_id"},
		{typeTransfer, fileTransactions, "date security_id quantity resulting_security_ids", "", "balance_security_id consideration_text"},
		{typeConversion, fileTransactions, "date security_id quantity_converted resulting_security_ids", "", "balance_security_id"},
		{typeRepurchase, fileTransactions, "date security_id quantity", "price", "balance_security_id consideration_text"},
		{typeReissuance, fileTransactions, "date security_id resulting_security_ids", "", "split_transaction_id reason_text"},
		{typeConsolidation, fileTransactions, "date security_ids resulting_security_id", "", "reason_text"},
		{typeRepricing, fileTransactions, "date security_id new_exercise_price", "", ""},
		{typeVestingEvent, fileTransactions, "date security_id vesting_condition_id", "", ""},
		{typeAcceleration, fileTransactions, "date security_id quantity", "reason_text", ""},
		{typeRatio, fileTransactions, "date stock_class_id", "new_ratio_conversion_mechanism", ""},
		{typeSplit, fileTransactions, "date stock_class_id split_ratio", "", ""},
		{
			typeAuthorized, fileTransactions, "date stock_class_id new_shares_authorized", "",
			"board_approval_date stockholder_approval_date",
		},
	}
}

// understoodGrants returns the grant transaction types for the current or older name prefix.
func understoodGrants(prefix string) []understoodKind {
	return []understoodKind{
		{
			prefix + "ISSUANCE", fileTransactions, "date security_id stakeholder_id quantity", "custom_id security_law_exemptions",
			`stock_plan_id stock_class_id compensation_type option_grant_type exercise_price base_price early_exercisable vesting_terms_id
			vestings expiration_date termination_exercise_windows board_approval_date stockholder_approval_date consideration_text`,
		},
		{prefix + "ACCEPTANCE", fileTransactions, "date security_id", "", ""},
		{prefix + "RETRACTION", fileTransactions, "date security_id", "reason_text", ""},
		{prefix + "CANCELLATION", fileTransactions, "date security_id quantity", "reason_text", "balance_security_id"},
		{
			prefix + "TRANSFER", fileTransactions, "date security_id quantity resulting_security_ids", "",
			"balance_security_id consideration_text",
		},
		{prefix + "EXERCISE", fileTransactions, "date security_id quantity", "", "resulting_security_ids consideration_text"},
		{
			prefix + "RELEASE", fileTransactions, "date security_id", "",
			"quantity settlement_date release_price resulting_security_ids consideration_text",
		},
	}
}

// understoodInstruments returns the transaction types of convertibles and warrants. Objects
// without the necessary fields are carried unchanged.
func understoodInstruments() []understoodKind {
	const issuance, approvals = "date security_id stakeholder_id", "board_approval_date stockholder_approval_date consideration_text"
	kinds := []understoodKind{
		{
			"TX_CONVERTIBLE_ISSUANCE", fileTransactions, issuance,
			"custom_id investment_amount convertible_type conversion_triggers seniority security_law_exemptions", "pro_rata " + approvals,
		},
		{
			"TX_WARRANT_ISSUANCE", fileTransactions, issuance, "custom_id exercise_triggers purchase_price security_law_exemptions",
			"quantity quantity_source exercise_price warrant_expiration_date vesting_terms_id vestings " + approvals,
		},
		{
			"TX_CONVERTIBLE_CONVERSION", fileTransactions, "date security_id", "reason_text trigger_id resulting_security_ids",
			"quantity_converted balance_security_id capitalization_definition",
		},
		{"TX_WARRANT_EXERCISE", fileTransactions, "date security_id", "trigger_id resulting_security_ids", "consideration_text"},
	}
	for family, size := range map[string]string{familyConvertible: "amount", familyWarrant: "quantity"} {
		prefix := "TX_" + family + "_"
		kinds = append(kinds,
			understoodKind{prefix + "ACCEPTANCE", fileTransactions, "date security_id", "", ""},
			understoodKind{prefix + "RETRACTION", fileTransactions, "date security_id", "reason_text", ""},
			understoodKind{prefix + "CANCELLATION", fileTransactions, "date security_id", size + " reason_text", "balance_security_id"},
			understoodKind{
				prefix + "TRANSFER", fileTransactions, "date security_id", size + " resulting_security_ids",
				"balance_security_id consideration_text",
			},
		)
	}
	return kinds
}

// effectOf returns the family and effect of a security transaction: TX_WARRANT_TRANSFER is
// the TRANSFER of a WARRANT. Both are empty for other types. PLAN_SECURITY, the older name of
// EQUITY_COMPENSATION, is the same family.
func effectOf(objectType string) (family, effect string) {
	for _, family := range []string{"STOCK", "EQUITY_COMPENSATION", "PLAN_SECURITY", "WARRANT", "CONVERTIBLE"} {
		effect, found := strings.CutPrefix(objectType, "TX_"+family+"_")
		if !found || !slices.Contains([]string{
			"ISSUANCE", "ACCEPTANCE", "RETRACTION", "CANCELLATION", "TRANSFER", "CONVERSION", "EXERCISE", "RELEASE",
			"REPRICING", "REPURCHASE", "REISSUANCE", "CONSOLIDATION",
		}, effect) {
			continue
		}
		if family == "PLAN_SECURITY" {
			family = "EQUITY_COMPENSATION"
		}
		return family, effect
	}
	return "", ""
}

// ends reports whether the transaction ends the security. Exercises and releases of equity
// compensation reduce its quantity instead.
func ends(family, effect string) bool {
	switch effect {
	case "RETRACTION", "CANCELLATION", "TRANSFER", "CONVERSION", "REPURCHASE", "REISSUANCE", "CONSOLIDATION":
		return true
	case "EXERCISE":
		return family == "WARRANT"
	default:
		return false
	}
}

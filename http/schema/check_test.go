package schema_test

import (
	"os"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"equity/fault"
	"equity/http/schema"
)

const shareholding = `{"entity":"01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10","security":"01926f40-11d2-7a0b-8c6e-90b4d1f2a377",` +
	`"shares":"10000","issueDate":"2024-03-15","pricePerShare":"0.25","consideration":{"cash":"2500.00"},"issuanceType":"founders",` +
	`"legends":["01926f40-11d2-7a0b-8c6e-90b4d1f2a377"],"comments":["founders' shares"]}`

// setup compiles a schema of the contract.
func setup(tb testing.TB, name string) *schema.Schema {
	tb.Helper()
	text, err := os.ReadFile("../openapi.yaml")
	if err != nil {
		tb.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		tb.Fatal(err)
	}
	ref, ok := doc.Components.Schemas[name]
	if !ok {
		tb.Fatalf("the contract has no schema %s", name)
	}
	compiled, err := new(schema.Compiler).Compile(ref)
	if err != nil {
		tb.Fatal(err)
	}
	return compiled
}

// told formats faults as "pointer code", for comparison.
func told(faults fault.Fields) string {
	lines := make([]string, len(faults))
	for i, problem := range faults {
		lines[i] = problem.Pointer + " " + problem.Code
	}
	return strings.Join(lines, "\n")
}

func TestCheck(t *testing.T) {
	t.Parallel()
	issue := setup(t, "IssueShareholding")
	change := func(old, replacement string) string { return strings.Replace(shareholding, old, replacement, 1) }
	for _, c := range []struct{ claim, body, faults string }{
		{"accepts a valid body", shareholding, ""},
		{"accepts white space between all tokens", " { \"entity\" :\t\"01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10\" ,\n" + shareholding[49:] + " \r\n", ""},
		{"accepts money in another currency", change(`"0.25"`, `{"amount":"0.25","currency":"EUR"}`), ""},
		{"refuses an unknown field", change(`"shares"`, `"share"`), "/share unknownField\n/shares required"},
		{"matches names case-sensitively", change(`"shares"`, `"Shares"`), "/Shares unknownField\n/shares required"},
		{"refuses a number instead of a decimal string", change(`"10000"`, `10000`), "/shares wrongType"},
		{"refuses a float", change(`"10000"`, `1.5`), "/shares wrongType"},
		{"refuses a float in a price", change(`"0.25"`, `0.25`), "/pricePerShare wrongType"},
		{"refuses a list in a price", change(`"0.25"`, `[]`), "/pricePerShare wrongType"},
		{"refuses a negative quantity", change(`"10000"`, `"-1"`), "/shares negative"},
		{"refuses more than ten places", change(`"10000"`, `"1.12345678901"`), "/shares tooPrecise"},
		{"refuses more than nineteen digits", change(`"10000"`, `"12345678901234567890"`), "/shares range"},
		{"refuses an exponent", change(`"10000"`, `"1e5"`), "/shares invalidDecimal"},
		{"refuses NaN", change(`"10000"`, `"NaN"`), "/shares invalidDecimal"},
		{"refuses a year of two digits", change("2024-03-15", "0024-03-15"), "/issueDate invalidDate"},
		{"refuses a day that does not exist", change("2024-03-15", "2023-02-30"), "/issueDate invalidDate"},
		{"refuses a bad id", change("01926f3c-8a5e", "01926f3c_8a5e"), "/entity invalidId"},
		{"refuses a bad id in a list", change(`"legends":["0`, `"legends":["x`), "/legends/0 invalidId"},
		{"refuses a value outside an enum", change("founders", "gift"), "/issuanceType enum"},
		{"refuses null", change(`"10000"`, `null`), "/shares wrongType"},
		{"refuses both of two alternatives", change(`{`, `{"member":"01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10",`), "/entity oneOf"},
		{"refuses a duplicate field", change(`{`, `{"shares":"1",`), "/shares duplicateField"},
		{"decodes escapes in names", change(`{`, `{"sh\u0061res":"1",`), "/shares duplicateField"},
		{
			"reports all faults at once", `{"shares":-1,"issueDate":"x","legends":[1,"y"],"zz/~":{}}`,
			"/shares wrongType\n/issueDate invalidDate\n/legends/0 wrongType\n/legends/1 invalidId\n/zz~1~0 unknownField\n" +
				"/security required\n/entity required",
		},
		{"requires a currency in money", change(`"0.25"`, `{"amount":"x"}`), "/pricePerShare/amount invalidDecimal\n/pricePerShare/currency required"},
		{"refuses control characters", change("founders' shares", `a\u0000b`), "/comments/0 controlCharacter"},
		{"refuses a list that is too long", change(`["founders' shares"]`, "["+strings.Repeat(`"",`, 100)+`""]`), "/comments tooMany"},
	} {
		t.Run(c.claim, func(t *testing.T) {
			t.Parallel()
			if got := told(issue.Check([]byte(c.body))); got != c.faults {
				t.Errorf("%s\ngot:\n%s\nwant:\n%s", c.body, got, c.faults)
			}
		})
	}
}

// An invisible character can make two different addresses look alike.
func TestAddressesWithInvisibleCharactersAreRefused(t *testing.T) {
	t.Parallel()
	verify := setup(t, "SendEmailVerification")
	for claim, email := range map[string]string{
		"a zero-width space":        "ada\u200b@example.com",
		"a no-break space":          "ada\u00a0@example.com",
		"a direction override":      "\u202eada@example.com",
		"a line separator":          "ada@example.com\u2028",
		"a soft hyphen in the host": "ada@exam\u00adple.com",
		"a private-use character":   "ada@example.\ue000com",
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			if got := told(verify.Check([]byte(`{"email":"` + email + `"}`))); got != "/email invalidEmail" {
				t.Errorf("%q", got)
			}
		})
	}
	for _, email := range []string{"ada@exämple.com", "ada@例え.jp", "дарья@пример.рф", "o'neil+x@example.co.uk"} {
		if faults := verify.Check([]byte(`{"email":"` + email + `"}`)); faults != nil {
			t.Errorf("%s: %v", email, faults)
		}
	}
}

// A letter of another script can make the address of another person look like that of a known one. Accounts that have one can still sign in.
func TestNewAddressesHaveAnASCIILocalPart(t *testing.T) {
	t.Parallel()
	register := setup(t, "RegisterUser")
	for email, want := range map[string]bool{
		"t\u043em@ex.example": false, "дарья@пример.рф": false, "ad\uff41@example.com": false, "tom@пример.рф": true, "o'neil+x@example.co.uk": true,
	} {
		body := `{"email":"` + email + `","password":"correct horse 9 battery","firstName":"T","lastName":"U","acceptedTerms":true}`
		if got := told(register.Check([]byte(body))); (got == "") != want || !want && got != "/email invalidEmail" {
			t.Errorf("%s: %q", email, got)
		}
	}
}

func TestWebsitesAreAddressesOfPages(t *testing.T) {
	t.Parallel()
	amend := setup(t, "AmendOrganization")
	for website, want := range map[string]bool{
		"https://example.com": true, "http://example.com:8080/a?b=c#d": true, "HTTPS://example.com": true, "example.com/about": true, "": true,
		"javascript:alert(1)": false, "JavaScript:alert(1)": false, "data:text/html,x": false, "javascript://example.com/%0aalert(1)": false,
		"ftp://example.com": false, "https://": false, "https://bank.example@evil.example": false, "//example.com": false, "example": false,
		"example.com:80": false, "https://example.com/\u202e": false, `https://example.com/\"onclick=`: false, "vbscript:x.y": false, " https://example.com": false,
	} {
		if got := told(amend.Check([]byte(`{"website":"` + website + `"}`))); (got == "") != want || !want && got != "/website invalidWebsite" {
			t.Errorf("%s: %q", website, got)
		}
	}
}

func TestCheckRefusesInvalidJSON(t *testing.T) {
	t.Parallel()
	issue := setup(t, "IssueShareholding")
	for claim, body := range map[string]string{
		"an empty text":                             ``,
		"white space":                               ` `,
		"an unterminated value":                     `{"shares":"1"`,
		"an unterminated string":                    `{"shares":"1`,
		"text after the value":                      shareholding + `{}`,
		"a trailing comma":                          `{"shares":"1",}`,
		"a trailing comma in a list":                `{"legends":["x",]}`,
		"single quotes":                             `{'shares':"1"}`,
		"a comment":                                 `{/**/}`,
		"invalid UTF-8":                             "{\"comments\":[\"\xff\"]}",
		"half a surrogate pair":                     `{"comments":["\ud800"]}`,
		"an unknown escape":                         `{"comments":["\x41"]}`,
		"a line break in a string":                  "{\"comments\":[\"a\nb\"]}",
		"a leading zero":                            `{"shares":01}`,
		"a lone minus":                              `{"shares":-}`,
		"a number without decimals after the point": `{"shares":1.}`,
		"a truncated literal":                       `{"shares":nul}`,
		"a missing colon":                           `{"shares" "1"}`,
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			faults := issue.Check([]byte(body))
			if len(faults) == 0 || faults[len(faults)-1].Code != "syntax" {
				t.Errorf("%s: %v", body, faults)
			}
		})
	}
}

func TestCheckStopsAtTheDepthLimit(t *testing.T) {
	t.Parallel()
	issue := setup(t, "IssueShareholding")
	faults := issue.Check([]byte(`{"zz":` + strings.Repeat("[", 500_000)))
	if len(faults) != 2 || faults[1].Code != "tooDeep" {
		t.Errorf("%v", faults)
	}
}

func TestCheckReportsAtMostAHundredFaults(t *testing.T) {
	t.Parallel()
	issue := setup(t, "IssueShareholding")
	body := `{"legends":[` + strings.Repeat(`1,`, 5000) + `1]}`
	if n := len(issue.Check([]byte(body))); n != 100 {
		t.Errorf("%d faults", n)
	}
}

func TestPatchDistinguishesNullFromAbsent(t *testing.T) {
	t.Parallel()
	patch := setup(t, "AmendOrganization")
	for body, want := range map[string]string{
		`{}`:                             "",
		`{"website":null}`:               "",
		`{"address":null}`:               "",
		`{"name":null}`:                  "/name wrongType",
		`{"name":"  "}`:                  "/name pattern",
		`{"address":{"country":"usa"}}`:  "/address/country pattern",
		`{"fiscalYearEnd":"13-01"}`:      "/fiscalYearEnd pattern",
		`[]`:                             " wrongType",
		`{"currency":"US"}`:              "/currency pattern",
		`{"type":"llc","logo":"x"}`:      "/logo invalidId",
		`{"comments":["` + long + `"]}`:  "/comments/0 tooLong",
		`{"externalId":"` + long + `é"}`: "/externalId tooLong",
	} {
		if got := told(patch.Check([]byte(body))); got != want {
			t.Errorf("%.60s: got %q, want %q", body, got, want)
		}
	}
}

func TestPatternFaultContainsTheExample(t *testing.T) {
	t.Parallel()
	faults := setup(t, "AmendOrganization").Check([]byte(`{"currency":"US"}`))
	if want := `The text must match ^[A-Z]{3}$, such as "USD".`; len(faults) != 1 || faults[0].Message != want {
		t.Errorf("got %v", faults)
	}
}

var long = strings.Repeat("é", 2001)

func BenchmarkCheck(b *testing.B) {
	issue := setup(b, "IssueShareholding")
	body := []byte(shareholding)
	b.ReportAllocs()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if faults := issue.Check(body); faults != nil {
			b.Fatal(faults)
		}
	}
}

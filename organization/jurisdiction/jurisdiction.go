// Package jurisdiction names the places under whose laws organizations are formed. Codes are those of ISO 3166: a country (GB), or a
// country and its subdivision (US-DE). Names of countries come from the Unicode CLDR. The CLDR data of golang.org/x/text has no
// subdivisions, so this package lists those that have a company law of their own.
package jurisdiction

import (
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// Name returns the English name of a place: "Delaware" for US-DE, "Germany" for DE. A subdivision without a name here has the name of its
// country. A text that is no code is returned as it is.
func Name(code string) string {
	country, subdivision, _ := strings.Cut(code, "-")
	if name, ok := subdivisions()[code]; ok {
		return name
	}
	const longestSubdivision = 3
	region, err := language.ParseRegion(country)
	if len(country) != 2 || country != strings.ToUpper(country) || len(subdivision) > longestSubdivision || err != nil || !region.IsCountry() {
		return code
	}
	return withArticle(strings.TrimSuffix(display.English.Regions().Name(region), " SAR China"))
}

// withArticle adds the article that the names of some countries have in a sentence.
func withArticle(name string) string {
	switch name {
	case "Bahamas", "Czech Republic", "Dominican Republic", "Central African Republic", "Gambia", "Maldives", "Netherlands", "Philippines":
		return "the " + name
	}
	if strings.HasPrefix(name, "United ") || strings.HasSuffix(name, " Islands") {
		return "the " + name
	}
	return name
}

// States returns the codes of the states of the United States by their names.
func States() map[string]string {
	codes := map[string]string{}
	for entry := range strings.SplitSeq(states, ",") {
		name, code := parse(entry)
		codes[name] = code
	}
	return codes
}

func subdivisions() map[string]string {
	names := map[string]string{}
	for entry := range strings.SplitSeq(states+","+others, ",") {
		name, code := parse(entry)
		names[code] = name
	}
	return names
}

// parse divides an entry "New York US-NY" into its name and code.
func parse(entry string) (name, code string) {
	i := strings.LastIndexByte(entry, ' ')
	return entry[:i], entry[i+1:]
}

const (
	states = "Alabama US-AL,Alaska US-AK,Arizona US-AZ,Arkansas US-AR,California US-CA,Colorado US-CO,Connecticut US-CT,Delaware US-DE," +
		"Florida US-FL,Georgia US-GA,Hawaii US-HI,Idaho US-ID,Illinois US-IL,Indiana US-IN,Iowa US-IA,Kansas US-KS,Kentucky US-KY," +
		"Louisiana US-LA,Maine US-ME,Maryland US-MD,Massachusetts US-MA,Michigan US-MI,Minnesota US-MN,Mississippi US-MS,Missouri US-MO," +
		"Montana US-MT,Nebraska US-NE,Nevada US-NV,New Hampshire US-NH,New Jersey US-NJ,New Mexico US-NM,New York US-NY," +
		"North Carolina US-NC,North Dakota US-ND,Ohio US-OH,Oklahoma US-OK,Oregon US-OR,Pennsylvania US-PA,Rhode Island US-RI," +
		"South Carolina US-SC,South Dakota US-SD,Tennessee US-TN,Texas US-TX,Utah US-UT,Vermont US-VT,Virginia US-VA,Washington US-WA," +
		"West Virginia US-WV,Wisconsin US-WI,Wyoming US-WY"

	others = "the District of Columbia US-DC,American Samoa US-AS,Guam US-GU,the Northern Mariana Islands US-MP,Puerto Rico US-PR," +
		"the U.S. Virgin Islands US-VI," +
		"Alberta CA-AB,British Columbia CA-BC,Manitoba CA-MB,New Brunswick CA-NB,Newfoundland and Labrador CA-NL,Nova Scotia CA-NS," +
		"the Northwest Territories CA-NT,Nunavut CA-NU,Ontario CA-ON,Prince Edward Island CA-PE,Quebec CA-QC,Saskatchewan CA-SK,Yukon CA-YT," +
		"England and Wales GB-EAW,England GB-ENG,Northern Ireland GB-NIR,Scotland GB-SCT,Wales GB-WLS"
)

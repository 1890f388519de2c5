package grammar

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// The parts of forms. Quantity has the groups number and scale; money has symbol, code, number and scale.
const (
	word   = `[\p{Lu}][\p{L}'\-]*`
	name   = word + `(?:(?: (?:de|la|van|von|der|den|du|di|da|del|bin|al|le|of))* (?:` + word + `|[\p{Lu}]\.))*`
	scale  = `(?: ?((?i:k|m|mm|mn|million|thousand|bn|billion))\b)?`
	digits = `(\d[\d,]*(?:\.\d+)?)`
	// quantity is a percentage, or a number of shares with an optional class.
	percent = `(\d[\d,]*(?:\.\d+)?(?:` + ofThree + `)?) ?(?:%|percent\b|per cent\b)`
	// ofThree divides a percentage by 3, which no decimal states.
	ofThree = `÷3`
	class   = `(?:(?:series|class) [A-Za-z][\w\-]*(?: (?:preferred|common))?|preferred|common|founders?'?)(?: stock)?`
	shares  = digits + scale + ` (?:(?:of )?(` + class + `) ?)?(?:shares?|units?|stock)\b(?: of (` + class + `)(?: shares?| stock)?\b)?`
	money   = `(?:([$€£])|\b(USD|EUR|GBP|CHF|CAD|AUD|SEK|JPY|INR|SGD) ?)` + digits + scale
	moneyAt = `(?:([$€£])|(USD|EUR|GBP|CHF|CAD|AUD|SEK|JPY|INR|SGD) ?)?` + digits + scale
	day     = `(\d{4}-\d{2}-\d{2}|[A-Z][a-z]+ \d{1,2},? \d{4}|\d{1,2} [A-Z][a-z]+ \d{4})`
	period  = `(\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|eighteen|twenty-four|thirty-six|forty-eight)[- ](years?|months?)`
	email   = `[A-Za-z0-9._%+\-]+@[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)+`
	// holds are the words between a holder and a quantity.
	holds = `(?: (?:who )?(?:will )?(?:currently )?(?:has|have|had|hold|holds|own|owns|get|gets|receive|receives|take|takes|keep|keeps|bought|buys|purchased|purchases|invested for|invests for|with|is issued|was issued|gets issued|control|controls)|:| -| =|,)(?: (?:about|around|exactly|a|an|the))?`
)

// forms are the compiled forms.
type forms struct {
	address, quoted, suffixed, called, created, mine, isA                             *regexp.Regexp
	iAm, author                                                                       *regexp.Regexp
	formed, foldersFor, separator                                                     *regexp.Regexp
	vests, cliff, vestingOver, vestingOf, yearVesting                                 *regexp.Regexp
	convertible, note, cap, capped, discount, interest, maturity, preMoney, on        *regexp.Regexp
	invested, moneyFrom, fromMoney, pair                                              *regexp.Regexp
	poolAfter, poolBefore, poolReserve, poolPlan                                      *regexp.Regexp
	authorizedClass, classAuthorized, authorizedCapital, parValue                     *regexp.Regexp
	total, totalOf, foundersList, byList, mates, people                               *regexp.Regexp
	holding, holdingPercent, bare, inBrackets, toName, percentTo, each, rest          *regexp.Regexp
	heading, anyQuoted, listFounded, between, startedWith, writes, all, lone, classes *regexp.Regexp
	inBracketsTitle, foreignForm, partnerForm, corporateForm, place                   *regexp.Regexp
	// stops, functions and titles are words that are no names.
	stops, functions, titles map[string]bool
	// places maps the names of places to codes.
	places                                              map[string]string
	ratio, equal, price, dollars, respectively, numbers *regexp.Regexp
	fractions, quantity, lonePerson, notable            *regexp.Regexp
}

func newForms() *forms {
	f := &forms{stops: stopWords(), functions: functionWords(), titles: titles(), places: places()}
	f.setCompany()
	f.setTerms()
	f.setPeople()
	f.setNotable()
	return f
}

func form(pattern string) *regexp.Regexp { return regexp.MustCompile(pattern) }

// anyCase returns a form without regard to case.
func anyCase(pattern string) *regexp.Regexp { return form(`(?i)` + pattern) }

const (
	companyName = `("[^"\n]{1,80}"|[\p{Lu}\d][\p{L}\d'&\-]*(?: (?:&|of|[\p{Lu}\d][\p{L}\d'&\-]*)){0,5})`
	subject     = `(` + name + `|\bI|\b[Mm]e)`
)

// setCompany sets the forms of the company.
func (f *forms) setCompany() {
	const suffix = `(?:,? (Inc\.?|Incorporated|Corp\.?|Corporation|LLC|L\.L\.C\.|Ltd\.?|Limited|GmbH|AG|UG|SAS|SARL|BV|B\.V\.|LLP|LP|PLC|AB|Oy|SE))(?:[\s,;:)]|\.?$|\.\s)`
	f.address = form(`(?:(` + name + `)[ ,:]*)?[(<\[]?(?:[Ee]-?mail:? ?)?(` + email + `)[)>\]]?`)
	f.quoted = anyCase(`(?:called|named|name is|company is|startup is) "([^"\n]{1,80})"`)
	f.suffixed = form(companyName + suffix)
	f.called = form(`(?i:company|startup|start-up|business|corporation|firm|organization|LLC)(?i:,? (?:is )?(?:called|named)| name is|'s name is|:) ` + companyName)
	f.created = form(`(?i:create|build|set up|setup|start|starting|started|incorporate|incorporating|form|forming|found|founding|launch|launching|open|register)(?i: (?:a|an|the|my|our|new|company|startup|corporation|called|named))* ` + companyName)
	f.mine = form(`(?i:my|our) (?i:new |tech |own )?(?i:company|startup|start-up|business|corporation)(?i:,? (?:is )?(?:called |named )?|: )` + companyName)
	f.isA = form(`^(?i:(?:we are|this is|i run|we run) )?` + companyName + `,?(?i: is an?| is the|,? an? )`)
	f.heading = form(`^` + companyName + `: (?:` + name + `)[ ,]`)
	f.anyQuoted = form(`"([^"\n]{1,80})"`)
	f.formed = anyCase(`(?:incorporated|formed|founded|established|organized|registered)\b[^.;\n]{0,60}? on ` + day)
	f.inBracketsTitle = anyCase(` \((?:co-?founder|founder|ceo|cto|coo|cfo|president|chair(?:man|woman)?)(?:[ ,&/]+(?:co-?founder|founder|ceo|cto|coo|cfo))*\)`)
	f.foreignForm = form(`\b(?:gmbh|ag|ug|sas|sarl|bv|oy|ab|se|plc|ltd\.?|limited)$`)
	f.partnerForm = form(`\b(?:llp|lp)$`)
	f.corporateForm = form(`\b[cs]?[- ]?corp(?:oration)?\b|\bincorporated\b`)
	f.place = form(`\b(?:` + strings.Join(longestFirst(places()), "|") + `)\b`)
	f.foldersFor = anyCase(`(?:data room )?(?:with )?folders?(?: for| named| called|:)? ([^.;]+)`)
	f.separator = anyCase(`\s*(?:,\s*and\s+|,\s*&\s*|,|\band\b|&|\+)\s*`)
}

// setTerms sets the forms of shares, instruments and vesting.
func (f *forms) setTerms() {
	f.vests = anyCase(`\bvest`)
	f.cliff = anyCase(`(?:with |and )?(?:an? )?` + period + `[- ]cliff`)
	f.vestingOver = anyCase(`\bvest\w*[^.;]*?\b(?:over|for|in|during|across) (?:a )?(?:period of )?` + period)
	f.vestingOf = anyCase(`\bvest\w*(?: period| schedule)?(?: of|:)? ` + period)
	f.yearVesting = anyCase(`(?:an? )?` + period + `[- ](?:monthly )?vesting(?: schedule| period)?`)
	f.convertible = form(`\bSAFEs?\b|\b[Ss]afe notes?\b|(?i:convertible (?:promissory )?(?:notes?|loans?))`)
	f.note = anyCase(`convertible (?:promissory )?(?:notes?|loans?)`)
	f.cap = anyCase(`(?:(?:with|at|and|on|under) )?(?:an? )?` + money + ` (?:post-money |pre-money |post money |pre money )?(?:valuation )?cap\b`)
	f.capped = anyCase(`(?:with |at )?(?:an? |the )?(?:post-money |pre-money )?(?:valuation )?cap(?:ped)?(?: of| at|:)? (?:an? )?` + money)
	f.discount = anyCase(`(?:with |and )?(?:an? )?` + percent + ` discount|discount(?: rate)?(?: of|:)? ` + percent)
	f.interest = anyCase(`(?:with |at |and )?(?:an? )?` + percent + ` (?:annual |simple |yearly |per year )?interest|interest(?: rate)?(?: of| at|:)? ` + percent)
	f.maturity = anyCase(`(?:and )?matur(?:es|ing|ity)(?: date)?(?: on| is| in|:)? ` + day)
	f.preMoney = anyCase(`pre-?\s?money`)
	f.on = anyCase(`\b(?:on|dated) ` + day)
	f.invested = form(`(` + name + `|\bI)(?i: (?:has |have |will |each )?(?:invested|invests|invest|put in|puts in|put|gave|gives|lent|loaned|contributed|contributes|paid|bought|purchased)(?: us| the company)?(?: an?| about)?) ` + money)
	f.moneyFrom = form(money + `(?i:[^.;,$€£]{0,60}? (?:from|by|with|to|for|issued to|held by)) (?i:an? |the )?(?:investor |angel investor )?(` + name + `)`)
	f.fromMoney = form(`(?i:from|by|with|to) (` + name + `)(?i: of| for| over| at|:|,| -| \()? ?` + money)
	f.pair = form(`(` + name + `)(?i: for| with| at| of|,|:| -| =| \()? ?` + money)
	f.poolAfter = anyCase(`(?:(?:and|with|plus) )?(?:an? |the )?(?:` + percent + `|` + digits + scale + `(?:[- ]shares?)?)(?: of [^,.;]{0,30}?)?(?: is| are| go| goes)?(?: reserved| set aside)?(?: in| for| as| to)?(?: an?| the| our| employee)*(?: unallocated| employees?| stock| share| equity| incentive| option| options)*[- ](?:pool|plan|esop)\b`)
	f.poolBefore = anyCase(`(?:(?:and|with|plus) )?(?:an? |the )?(?:` + `(?:unallocated |employee |employees' |stock |share |equity |incentive |options? |talent )*(?:pool|esop)|(?:employee |stock |share |equity |incentive |option )+plan)(?: of| with| has| holds| contains| is| gets| receives| reserves|:| -| =| \(| sized at| that holds)?(?: about| exactly)? (?:` + percent + `|` + digits + scale + `)(?: shares?| reserved| of [^,.;]{0,20}shares)?\)?`)
	f.poolReserve = anyCase(`(?:we |and )?(?:reserve|reserving|reserved|set aside|setting aside|allocate|keep|keeping|with|hold back)\w* (?:` + percent + `|` + digits + scale + `)(?: of [^,.;]{0,30}?)?(?: shares?)?(?: (?:reserved|set aside))? (?:for|as) (?:an? |the |our |future )*(?:employee|option|esop|incentive|hire|team|staff|pool|key)\w*(?: options?| pool| hires)?`)
	f.poolPlan = form(`(\d{4} [A-Z][A-Za-z ]*(?:Plan|Program)|[A-Z][A-Za-z]* (?:Equity|Stock|Option|Incentive)[A-Za-z ]*Plan)`)
	f.authorizedClass = anyCase(shares + `(?: are| is| have been)? authorized`)
	f.classAuthorized = anyCase(`(?:authorized|authorised)(?: share)?(?: capital)?(?: of|:| shares:| stock:)? ?(?:is )?` + shares)
	f.authorizedCapital = anyCase(digits + scale + ` authori[sz]ed (?:(` + class + `) )?(?:shares?|units?|stock)(?: of (` + class + `)(?: stock| shares)?)?`)
	f.parValue = anyCase(`par value(?: per share)?(?: of|:)? ` + moneyAt + `|` + money + ` par(?: value)?\b`)
	f.total = anyCase(digits + scale + ` (?:(?:` + class + `) )?(?:shares?|units?) (?:in total|total|outstanding|issued|fully diluted|overall|issued and outstanding)`)
	f.totalOf = anyCase(`(?:of|out of|total of|totals?(?: is|:)?) (?:the |a total of |all )?` + digits + scale + ` (?:(?:total|issued|outstanding|common) )*(?:shares?|units?)`)
	f.lone = anyCase(`(?:^|[,;] )` + digits + scale + ` (?:total )?(?:shares?|units?)(?:[,;.]|$| split| divided)`)
	f.classes = anyCase(`(?:,|and|&) ` + shares)
	f.price = anyCase(`(?:at|for|price(?: per share)?(?: of|:)?) (?:a price of )?` + money + `(?: per share| a share| each|/share)?`)
	f.dollars = anyCase(money)
}

// setPeople sets the forms of people and their shares.
func (f *forms) setPeople() {
	f.iAm = form(`(?i:\bI am|\bI'm|\bmy name is|\bthis is) (` + name + `)`)
	f.author = form(`(?:^|[\s(,])I, (` + name + `),`)
	f.foundersList = form(`(?i:co-?founders?|founders|founding team|founder)(?i:,? (?:are|is|named|called|include)|:|,| -)? (?:[Mm]e|[Mm]yself|I|` + name + `)(?:(?: ?, (?:and |& )?| and | & | \+ )(?:(?:my co-?founders?|my wife|my husband|my friend) )?(?:[Mm]e|[Mm]yself|I\b|` + name + `))*`)
	f.byList = form(`(?i:founded|started|created|owned|run|incorporated)(?i: (?:in \d{4} |equally ))?(?i: ?by) (?:[Mm]e|[Mm]yself|` + name + `)(?:(?: ?, (?:and |& )?| and | & | \+ )(?:(?:my co-?founders?|my wife|my husband|my friend) )?(?:[Mm]e|[Mm]yself|` + name + `))*`)
	f.mates = form(`(?i:(?:me|I) (?:and|with|&) (?:my )?(?:co-?founders?|partners?|friends?|wife|husband)) (` + name + `(?:(?:, (?:and )?| and | & )` + name + `)*)`)
	f.people = form(`(?:[Mm]e\b|[Mm]yself\b|\bI\b|` + name + `)`)
	f.holding = form(subject + `(?i:` + holds + `) ?(?i:` + shares + `|` + digits + scale + `(?:[,.;]|$| and | vest| each))`)
	f.holdingPercent = form(subject + `(?i:` + holds + `)? ?\(?` + percent)
	f.bare = form(subject + `(?i:` + holds + `)? ?\(?(?i:` + shares + `)`)
	f.inBrackets = form(subject + ` \(` + digits + `(?i:` + scale + `)\)`)
	f.toName = form(`(?i:` + shares + `)(?i:,? (?:at [^,;]{1,30}? )?(?:are |were |is |go |goes |going )?(?:issued |granted |given |sold )?(?:to|for|held by|owned by)) (?i:founder |investor |my co-?founder |co-?founder )?(` + name + `|[Mm]e\b|[Mm]yself)`)
	f.percentTo = form(percent + `(?i: (?:of [^,;.]{1,40}? )?(?:is |are |goes |go )?(?:to|for|held by|owned by|by|belongs to)) (?i:founder |investor |my co-?founder )?(` + name + `|[Mm]e\b|[Mm]yself)`)
	f.each = anyCase(`(?:each|both)(?: founder| of them| of us)?(?: has| have| holds?| owns?| gets?| receives?| with)? ?(?:` + percent + `|` + shares + `)|(?:` + percent + `|` + shares + `)(?: for)? each`)
	f.rest = form(subject + `(?i: (?:has|have|holds?|owns?|gets?|receives?|keeps?|takes?)?) ?(?i:the (?:rest|remainder|remaining|other))|(?i:the (?:rest|remainder|remaining (?:shares|part)?)[a-z ]*(?:to|by|for|goes to)) (` + name + `|[Mm]e\b)`)
	f.ratio = form(`\b(\d{1,3}(?:\.\d+)?(?: ?[/:] ?\d{1,3}(?:\.\d+)?)+)\b`)
	f.fractions = anyCase(`\b(in )?(?:(an?|one|two|three) )?(half|thirds?|quarters?|fifths?)( (?:each|of|by|to|and|is|are|goes?|belongs?|held|owned)\b|[.,;:)\n]|$)`)
	f.lonePerson = form(`^` + name + `$`)
	f.quantity = anyCase(percent + `|` + shares)
	f.equal = anyCase(`\bequal(?:ly)?\b|\bfifty-fifty\b|\b50-50\b|\bevenly\b|\bhalf each\b|\bsplit in half\b`)
	f.respectively = form(`((?:` + name + `|I)(?:(?:, (?:and )?| and | & )(?:` + name + `|[Mm]e|I\b))+)(?i:` + holds + `)? ((?:\d[\d,.]*(?: ?%| ?(?:k|m|million)\b)?(?:, (?:and )?| and | & ))+\d[\d,.]*(?: ?%| ?(?:k|m|million)\b)?)( ?%| percent| shares)?(?:,? respectively)?`)
	f.numbers = anyCase(digits + `(?: ?(%|k\b|m\b|million\b))?`)
	f.listFounded = form(`(?:` + name + `|\bI|\b[Mm]e)(?:(?:, (?:and )?| and | & )(?:` + name + `|[Mm]e\b|I\b))+(?i: (?:have |has )?(?:co-?)?(?:founded|started|created|are (?:founding|starting|building|the founders|co-?founders|founders)|start|found))`)
	f.between = form(`(?i:between|among|amongst) (?:[Mm]e|` + name + `)(?:(?:, (?:and )?| and | & )(?:[Mm]e\b|` + name + `))+`)
	f.startedWith = form(`(?i:starting|started|founding|founded|building|start|found|build|launching)[^.;]{0,60}? with (` + name + `(?:(?:, (?:and )?| and | & )` + name + `)*)`)
	f.writes = form(`\bI\b|\bI'm\b`)
	f.all = form(subject + `(?i: (?:will )?(?:own|owns|hold|holds|have|has|keep|keeps)) (?i:all|everything|the whole)\b`)
}

// longestFirst returns the names, of which no earlier one begins a later one.
func longestFirst(names map[string]string) []string {
	return slices.SortedFunc(maps.Keys(names), func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
}

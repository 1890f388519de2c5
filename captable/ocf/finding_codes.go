package ocf

// Codes of findings about the package and its files.
const (
	codeManifestMissing = "manifestMissing"
	codeManifestTwice   = "manifestTwice"
	codeUnknownVersion  = "unknownVersion"
	codeFileMissing     = "fileMissing"
	codeFileRenamed     = "fileRenamed"
	codeFileUnlisted    = "fileUnlisted"
	codeFileTwice       = "fileListedTwice"
	codeFileType        = "wrongFileType"
	codeChecksum        = "staleChecksum"
	codeJSON            = "invalidJSON"
	codeUnreadable      = "unreadable"
	codeNested          = "nestedArchive"
	codeTooLarge        = "tooLarge"
	codeTooMany         = "tooMany"
)

// Codes of findings about a single object.
const (
	codeRequired     = "required"
	codeMissingField = "missingField"
	codeUnknownField = "unknownField"
	codeUnknownType  = "unknownObjectType"
	codeWrongFile    = "wrongFile"
	codeWrongType    = "wrongType"
	codeEnum         = "enum"
	codeNumeric      = "invalidNumeric"
	codeDate         = "invalidDate"
	codePercentage   = "invalidPercentage"
	codeMonetary     = "invalidMonetary"
	codeRatio        = "invalidRatio"
	codeNotPositive  = "notPositive"
	codeCertificate  = "certificateRepeated"
	codeSeniority    = "seniorityRanked"
	codeConversion   = "conversionIgnored"
	codeFinancing    = "financingRepeated"
	codePlanName     = "planNameRepeated"
	codeVesting      = "vestingTerms"
	codeCarried      = "carried"
	codeKept         = "kept"
	codeDirection    = "bidirectionalControl"
	codeOtherHolder  = "otherHolder"
)

// Codes of findings about relations between objects.
const (
	codeDuplicateID       = "duplicateId"
	codeDuplicateSecurity = "duplicateSecurity"
	codeDuplicateRef      = "duplicateReference"
	codeDangling          = "danglingReference"
	codeSelf              = "selfReference"
	codeCircular          = "circularReference"
	codeOtherKind         = "otherKind"
	codeOtherClass        = "otherClass"
	codeBeforeIssue       = "beforeIssue"
	codeBeforeSplit       = "beforeSplit"
	codeAfterEnd          = "afterEnd"
	codeEndedTwice        = "endedTwice"
	codeAcceptedTwice     = "acceptedTwice"
	codeAcceptedRetracted = "acceptedAndRetracted"
	codeResultTwice       = "resultTwice"
	codeResultLoose       = "resultWithoutTransaction"
	codeResultDate        = "resultDate"
	codeWrongSum          = "wrongSum"
	codeAboveIssuer       = "aboveIssuer"
)

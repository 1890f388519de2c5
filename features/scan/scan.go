// Package scan examines the uploaded files for malware with a clamd server.
//
// Its data: none. The result of a scan is an event of the data room (fileScanned), and files without a result are part of the
// core.
//
// From request to effect: an upload to the data room stores a file that is pending, and its content is not served. The event wakes
// [Consumer] (consumer.go), which reads the content, sends it to the server (client.go) and records the result with a command of the data
// room. The owners get a mail about an infected file. Files that the server refuses as too large are examined again each hour. Files of
// profiles are examined by [Client] before they are stored.
package scan

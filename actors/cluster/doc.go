// Package cluster makes a server a member of a cluster of equal servers over one database.
//
// The members are rows of a table. Each renews its row, and reads the list with it. The number of changes of the list is its epoch. The owner
// of an organization is the member with the highest hash of its address and the organization (rendezvous hashing), so that a change of the
// list moves only the organizations of the member that joins or leaves.
//
// A member obeys an epoch when it has ended all organizations that it does not own any more. It notes this in its row. A member serves the
// organizations that it has gained when all members of the list obey the epoch. So two members never serve one organization at the same time:
// members that are in the list have handed over, and the lease of a member that was removed has ended before.
package cluster

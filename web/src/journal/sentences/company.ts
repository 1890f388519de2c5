import { moment } from '~/format/dates';
import type { Sentences } from '../describe';
import { after, bracketed, type Facts, plain, say } from '../facts';

const member = (facts: Facts) => facts.name('id', 'a member');

/** Events of the company, its members and its connections. */
export const companySentences: Sentences = {
  organizationCreated: (facts) => say('Founded', facts.text('profile.legalName') || facts.text('profile.name')),
  organizationChanged: () => 'Changed the details of the company',
  memberAdded: (facts) =>
    say('Added', facts.text('member.fullName') || 'a member', after('as', plain(facts.text('member.relationship')))),
  memberReturned: (facts) => `${facts.text('terms.fullName') || member(facts)} returned`,
  memberChanged: (facts) => `Changed the details of ${facts.text('terms.fullName') || member(facts)}`,
  memberRemoved: (facts) => `Removed ${member(facts)}`,
  memberInvited: (facts) => `Invited ${member(facts)}`,
  memberJoined: (facts) => `${facts.text('name') || member(facts)} joined`,
  memberDeclined: (facts) => say(member(facts), 'declined the invitation'),
  memberClaimed: (facts) => `Connected ${member(facts)} with an account`,
  invitationBounced: (facts) => `The invitation of ${member(facts)} could not be delivered`,
  invitationWithdrawn: (facts) => `Withdrew the invitation of ${member(facts)}`,
  memberReaddressed: (facts) =>
    say(
      'Changed the e-mail address of',
      `${member(facts)},`,
      facts.text('waitsUntil')
        ? `who can be claimed from ${moment(facts.text('waitsUntil'))}`
        : 'who can be claimed at once',
    ),
  addressConfirmed: (facts) =>
    say('Confirmed the new e-mail address of', member(facts), bracketed(plain(facts.text('means')))),
  roleCreated: (facts) => say('Created the role', facts.text('terms.name')),
  roleChanged: (facts) => say('Changed the role', facts.text('terms.name')),
  roleDeleted: (facts) => `Deleted ${facts.name('id', 'a role')}`,
  webhookCreated: (facts) => say('Created a webhook', after('to', facts.text('terms.url'))),
  webhookChanged: (facts) => say('Changed the webhook', after('to', facts.text('terms.url'))),
  webhookDeleted: () => 'Deleted a webhook',
  webhookDisabled: (facts) => say('A webhook was switched off', after('because of', plain(facts.text('reason')))),
  hookTokenCreated: (facts) => say('Created the hook token', facts.text('name')),
  hookTokenRevoked: (facts) => `Revoked ${facts.name('id', 'a hook token')}`,
  chatTeamLinked: () => 'Linked the team chat',
  subscriptionChanged: (facts) => say('The subscription changed', after('to', plain(facts.text('status')))),
  paymentSucceeded: () => 'A payment of the subscription succeeded',
  paymentFailed: () => 'A payment of the subscription failed',
  driveConnected: () => 'Connected a drive',
  driveDisconnected: () => 'Disconnected a drive',
  syncConfigured: () => 'Began to synchronize a folder of a drive',
  syncChanged: () => 'Changed the synchronization of a drive',
  syncRemoved: () => 'Ended the synchronization of a drive',
};

const document = (facts: Facts) => facts.text('name') || facts.text('outside.name') || facts.name('id', 'a document');

/** Events of the data room. */
export const documentSentences: Sentences = {
  fileStored: (facts) => `Stored the file ${facts.text('name') || 'of a record'}`,
  fileScanned: (facts) => say('A file was scanned for viruses:', plain(facts.text('scan'))),
  fileErased: (facts) => `Erased the content of ${facts.name('id', 'a file')}`,
  folderCreated: (facts) => `Created the folder ${document(facts)}`,
  documentAdded: (facts) => say('Added', document(facts), after('to', facts.name('parent', ''))),
  documentVersioned: (facts) => `Stored a new version of ${document(facts)}`,
  documentMoved: (facts) =>
    say(
      'Moved or renamed',
      facts.name('id', 'an item'),
      after('to', document(facts)),
      after('in', facts.name('parent', '')),
    ),
  documentDeleted: (facts) => `Moved ${document(facts)} to the trash`,
  documentRestored: (facts) => `Restored ${document(facts)}`,
  accessChanged: (facts) =>
    facts.text('access.mode') === 'restricted'
      ? say('Restricted', document(facts), after('to', facts.list('access.roles').join(', ')))
      : `Changed who may read ${document(facts)}`,
  shareCreated: (facts) =>
    say('Shared', facts.name('document', 'a document'), 'with an outsider', after('until', facts.day('expiresAt'))),
  shareRevoked: () => 'Ended the share of a document',
};

import { reasonChoices } from '~/grants/kinds';
import { type Posting, posting, type StoredRecord } from '../posting';
import { picked } from './figures';

const terms = [
  'fullName',
  'email',
  'kind',
  'title',
  'relationship',
  'roles',
  'startDate',
  'phone',
  'address',
  'taxResidence',
  'externalId',
  'comments',
] as const;

const company = [
  'name',
  'legalName',
  'type',
  'subtype',
  'jurisdiction',
  'formationDate',
  'website',
  'address',
  'fiscalYearEnd',
  'storage',
] as const;

const outcomes: Record<string, string> = {
  sent: 'Invitation sent',
  member: 'Not sent: a member already has this address',
  tooSoon: 'Not sent: the last e-mail was sent less than an hour ago',
  tooOften: 'Not sent: ten e-mails were sent already',
};
const outcomeText = (outcome: string) => outcomes[outcome] ?? 'Invitation sent';

/** The withdrawal of the sent invitations of an answer. */
const withdrawal = (answer: StoredRecord) => {
  const sent = (answer.results ?? []).filter((one: StoredRecord) => one.outcome === 'sent' && one.member);
  const record = sent.map((one: StoredRecord) => one.member).join(',');
  return record ? { posting: 'withdrawInvitation', record, label: 'Withdraw' } : undefined;
};

const roles = {
  name: 'roles' as const,
  help: 'Without a choice, the person becomes a Holder, who sees only their own records and the details of the company.',
};

/** Returns the roles; undefined without any, so that the default applies. */
const given = (chosen: string[] | undefined) => (chosen && chosen.length > 0 ? chosen : undefined);

/** The changes of stakeholders and roles. */
export const people: Record<string, Posting> = {
  inviteMembers: posting({
    operation: 'inviteMembers',
    title: 'Invite',
    keywords: 'colleague member',
    permission: 'editMembers',
    fields: [{ name: 'emails', label: 'E-mail addresses' }, roles, { name: 'message', control: 'long' }],
    initial: () => ({ emails: [''] }),
    action: () => 'Send the invitations',
    done: () => 'Invitations sent',
    link: () => ({ page: 'stakeholders' }),
    reverse: withdrawal,
  }),
  inviteAgain: posting({
    operation: 'inviteMembers',
    title: 'Send invitation again',
    permission: 'editMembers',
    record: 'member',
    applies: (record) => (record.status === 'invited' || record.status === 'bounced') && record.email !== undefined,
    fields: [{ name: 'message', control: 'long' }],
    initial: ({ record }) => ({ emails: [record?.email], roles: given(record?.roles) }),
    action: (_, { record }) => `Send to ${record?.email}`,
    done: (answer) => outcomeText(answer.results?.[0]?.outcome),
    reverse: withdrawal,
  }),
  inviteHolder: posting({
    operation: 'inviteMembers',
    title: 'Invite',
    permission: 'editMembers',
    record: 'member',
    applies: (record) => record.status === 'registered' && record.email !== undefined && record.kind !== 'institution',
    fields: [
      { ...roles, control: 'rolesOfHolder' },
      { name: 'message', control: 'long' },
    ],
    initial: ({ record }) => ({ emails: [record?.email], roles: given(record?.roles) }),
    action: (_, { record }) => `Invite ${record?.fullName}`,
    done: (answer) => outcomeText(answer.results?.[0]?.outcome),
  }),
  withdrawInvitation: posting({
    operation: 'removeMember',
    title: 'Withdraw invitation',
    permission: 'editMembers',
    record: 'member',
    applies: (record) => record.status === 'invited' || record.status === 'bounced',
    // A holder is not removed with the invitation: the server refuses it without keepHoldings.
    fields: [],
    action: () => 'Withdraw the invitation',
    done: () => 'Invitation withdrawn',
    danger: true,
  }),
  addMember: posting({
    operation: 'addMember',
    title: 'Add stakeholder',
    permission: 'editMembers',
    fields: terms,
    action: (body) => (body.fullName ? `Add ${body.fullName}` : 'Add the stakeholder'),
    done: (answer) => `${answer.fullName} added`,
    link: (answer) => ({ page: 'stakeholders', open: answer.id }),
    reverse: (answer) => ({ posting: 'removeMember', record: answer.id, label: 'Remove' }),
  }),
  amendMember: posting({
    operation: 'amendMember',
    title: 'Edit',
    permission: 'editMembers',
    record: 'member',
    fields: terms,
    initial: ({ record }) => picked(record, terms),
    action: () => 'Save the changes',
    done: (answer) => `${answer.fullName} changed`,
  }),
  removeMember: posting({
    operation: 'removeMember',
    title: 'Remove',
    permission: 'editMembers',
    record: 'member',
    applies: (record) => record.status !== 'removed',
    fields: [
      {
        name: 'terminationDate',
        label: 'Last day of service',
        help: 'Grants vest until this day. The unvested rest is forfeited, and the exercise windows begin. Without a day, grants continue to vest.',
      },
      {
        name: 'terminationReason',
        label: 'Reason',
        help: 'The reason selects the exercise window of each grant.',
        choices: () => reasonChoices,
        when: (body) => body.terminationDate !== undefined,
      },
    ],
    // The form states the fate of all holdings: shares and vested grants stay with the holder, who loses the access.
    initial: ({ today }) => ({ terminationDate: today, keepHoldings: true }),
    complete: ({ terminationReason, ...body }) => (body.terminationDate ? { ...body, terminationReason } : body),
    action: (_, { record }) => `Remove ${record?.fullName}`,
    done: () => 'Stakeholder removed',
    reverse: (answer) => ({ posting: 'returnMember', record: answer.id, label: 'Add again' }),
    danger: true,
  }),
  returnMember: posting({
    operation: 'addMember',
    title: 'Add again',
    keywords: 'restore return',
    permission: 'editMembers',
    record: 'member',
    applies: (record) => record.status === 'removed',
    fields: terms,
    initial: ({ record }) => ({ ...picked(record, terms), roles: [] }),
    // The entity keeps the holdings. Forfeited grants are not restored.
    complete: (body, { record }) => ({ ...body, entity: record?.entity }),
    action: (_, { record }) => `Add ${record?.fullName}`,
    done: (answer) => `${answer.fullName} added`,
    link: (answer) => ({ page: 'stakeholders', open: answer.id }),
    reverse: (answer) => ({ posting: 'removeMember', record: answer.id, label: 'Remove' }),
  }),
  createRole: posting({
    operation: 'createRole',
    title: 'New role',
    permission: 'editMembers',
    fields: ['name', 'description', 'permissions'],
    initial: () => ({ permissions: [] }),
    action: () => 'Create the role',
    done: (answer) => `${answer.name} created`,
    link: () => ({ page: 'roles' }),
    reverse: (answer) => ({ posting: 'deleteRole', record: answer.id, label: 'Delete' }),
  }),
  replaceRole: posting({
    operation: 'replaceRole',
    title: 'Edit',
    permission: 'editMembers',
    record: 'role',
    applies: (record) => !record.builtIn,
    fields: ['name', 'description', 'permissions'],
    initial: ({ record }) => picked(record, ['name', 'description', 'permissions']),
    action: () => 'Save the changes',
    done: (answer) => `${answer.name} changed`,
  }),
  deleteRole: posting({
    operation: 'deleteRole',
    title: 'Delete',
    permission: 'editMembers',
    record: 'role',
    applies: (record) => !record.builtIn,
    fields: [],
    action: (_, { record }) => `Delete ${record?.name}`,
    done: () => 'Role deleted',
    danger: true,
  }),
  changeCompany: posting({
    operation: 'amendOrganization',
    title: 'Edit company',
    permission: 'editOrganizationDetails',
    record: 'organization',
    fields: company.map((name) => (name === 'storage' ? { name, label: 'Documents' } : name)),
    initial: ({ record }) => picked(record, company),
    action: () => 'Save the changes',
    done: (answer) => `${answer.name} changed`,
  }),
  changeCertificates: posting({
    operation: 'replaceShareholdingConfig',
    title: 'Shares and certificates',
    permission: 'editCapTable',
    record: 'shareholdingConfig',
    fields: [
      'equityName',
      'fractional',
      'certificateSignatories',
      'capitalAccounts',
      { name: 'operatingAgreement.file', label: 'Operating agreement' },
      { name: 'operatingAgreement.date', label: 'Date of the agreement' },
    ],
    initial: ({ record }) =>
      picked(record, [
        ...['equityName', 'fractional', 'certificateSignatories', 'numbering'],
        ...['capitalAccounts', 'operatingAgreement'],
      ]),
    action: () => 'Save the changes',
    done: () => 'Settings of shares and certificates changed',
    link: () => ({ page: 'settings' }),
  }),
};

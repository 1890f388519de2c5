import { cents } from '~/format/figures';
import { bases, bodyOf, classes, conventions, isNamed, raised, termsOf } from '~/rounds/terms';
import { type Posting, posting } from '../posting';

export const rounds: Record<string, Posting> = {
  closeRound: posting({
    operation: 'closeRound',
    title: 'Close the round',
    keywords: 'financing',
    permission: 'editCapTable',
    // The terms and the confirmed plan are those of the model in the URL.
    offered: ({ address }) => address.confirm !== undefined && isNamed(termsOf(address)),
    stated: [
      { name: 'security.name', label: 'New class' },
      ...bases.map(({ value, label }) => ({ name: value, label })),
      { name: 'newMoney', label: 'New money' },
      { name: 'pool.target', label: 'Pool after the round' },
      { name: 'pool.of', label: 'Growing pool' },
      { name: 'convention', label: 'Convertibles', choices: () => conventions },
      { name: 'shadowSeries', label: 'Converted shares', choices: () => classes },
      { name: 'date', label: 'Closing date' },
      { name: 'proRata', label: 'Pro rata right of' },
    ],
    fields: [
      { name: 'block.name', label: 'Name of the round', help: 'The name in the list of rounds.' },
      { name: 'block.kind', label: 'Kind of the round' },
    ],
    initial: ({ address }) => {
      const terms = termsOf(address);
      return { ...bodyOf(terms), confirm: address.confirm, block: { name: terms.name } };
    },
    action: (_, { company, address }) => `Close ${cents(raised(termsOf(address)), company.currency)} round`,
    done: (answer) => `${answer.name} closed`,
    link: (answer) => ({ page: 'rounds', open: answer.block?.id ?? answer.id, tab: 'closed' }),
    opens: true,
    danger: true,
    confirm: ({ address }) => termsOf(address).name,
  }),
};

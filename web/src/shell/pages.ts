import {
  Activity,
  BookOpen,
  CalendarClock,
  CalendarRange,
  ChartNoAxesCombined,
  CircleDollarSign,
  FolderOpen,
  HandCoins,
  Import,
  KeyRound,
  Layers,
  type LucideIcon,
  MessagesSquare,
  PieChart,
  Scale,
  ScrollText,
  Settings,
  TrendingUp,
  Users,
} from 'lucide-react';
import type { Company } from './company';

/** PageLink is a page of a company in the navigation and in the command palette. */
export type PageLink = {
  to: string;
  label: string;
  icon: LucideIcon;
  /** The second key after "g". */
  key?: string;
  group: 'Ownership' | 'Equity' | 'Model' | 'Company';
  /** Whether another page leads to it, so that the navigation leaves it out. */
  inner?: true;
  /** Other words for the search of the command palette. */
  keywords?: string;
  shown?: (company: Company) => boolean;
};

const sees = (company: Company) => company.can('viewCapTable');

/** Reports whether the user may import a file of any kind. */
export const imports = (company: Company) =>
  company.can('editCapTable') || company.can('editMembers') || company.can('editIncentivePlan');

/** Reports whether the user may change a part of the settings of the company. */
const hasSettings = (company: Company) =>
  company.can('editOrganizationDetails') ||
  company.can('editCapTable') ||
  (company.has('billing') && company.can('editBilling')) ||
  (company.has('drive') && company.can('editDocuments'));

/** The pages of a company, in the order of the navigation. */
export const pages: PageLink[] = [
  {
    to: 'captable',
    label: 'Cap table',
    icon: PieChart,
    key: 'c',
    group: 'Ownership',
    shown: sees,
    keywords: 'ownership holders',
  },
  { to: 'shares', label: 'Shares', icon: ScrollText, key: 's', group: 'Ownership', keywords: 'certificates stock' },
  { to: 'classes', label: 'Classes', icon: Layers, key: 'l', group: 'Ownership' },
  {
    to: 'stakeholders',
    label: 'Stakeholders',
    icon: Users,
    key: 'k',
    group: 'Ownership',
    shown: (company) => company.can('viewMembers'),
  },
  { to: 'roles', label: 'Roles', icon: KeyRound, group: 'Ownership', inner: true, keywords: 'permissions' },
  {
    to: 'plans',
    label: 'Equity plans',
    icon: HandCoins,
    key: 'p',
    group: 'Equity',
    shown: (company) => sees(company) || company.can('viewIncentivePlan'),
  },
  { to: 'schedules', label: 'Vesting schedules', icon: CalendarRange, group: 'Equity', inner: true, shown: sees },
  { to: 'grants', label: 'Grants', icon: CalendarClock, key: 'g', group: 'Equity' },
  { to: 'convertibles', label: 'Convertibles', icon: BookOpen, key: 'v', group: 'Equity' },
  { to: 'valuations', label: 'Valuations', icon: Scale, group: 'Equity', shown: sees },
  { to: 'capital', label: 'Capital and statements', icon: CircleDollarSign, group: 'Equity' },
  { to: 'rounds', label: 'Rounds', icon: TrendingUp, key: 'r', group: 'Model', shown: sees },
  {
    to: 'exit',
    label: 'Exit',
    icon: ChartNoAxesCombined,
    key: 'e',
    group: 'Model',
    shown: sees,
    keywords: 'waterfall sale',
  },
  { to: 'documents', label: 'Documents', icon: FolderOpen, key: 'd', group: 'Company', keywords: 'data room files' },
  {
    to: 'activity',
    label: 'Activity',
    icon: Activity,
    key: 'a',
    group: 'Company',
    shown: sees,
    keywords: 'journal proof history',
  },
  {
    to: 'chat',
    label: 'Team chat',
    icon: MessagesSquare,
    group: 'Company',
    shown: (company) => company.has('chat'),
  },
  { to: 'import', label: 'Import', icon: Import, group: 'Company', shown: imports },
  {
    to: 'settings',
    label: 'Company settings',
    icon: Settings,
    group: 'Company',
    shown: hasSettings,
  },
];

/** Returns the pages that the user may open. */
export const pagesOf = (company: Company): PageLink[] => pages.filter((page) => page.shown?.(company) ?? true);

/** Returns the page that a company opens with: the first one that the user may see. */
export const firstPageOf = (company: Company): string => pagesOf(company)[0]?.to ?? 'shares';

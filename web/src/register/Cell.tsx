import { Fragment, isValidElement, type ReactNode } from 'react';
import { day } from '~/format/dates';
import { cell } from '~/format/figures';
import { FigureButton, Why, type WhyProps } from '~/why/Why';
import type { Column } from './column';

/** Returns the displayed value of a row in a column. */
export function contentOf<Row>(column: Column<Row>, row: Row): ReactNode {
  if (column.cell) return column.cell(row);
  const value = column.value(row);
  if (column.kind === 'decimal') return cell(value);
  if (column.kind === 'date') return day(value);
  return value || '–';
}

/** The state of a row beside its values. */
export type RowState = {
  id: string;
  /** The columns with a mark, as " ID ID ". */
  marked: string | undefined;
  /** The figure whose explanation is open. */
  explained: string | undefined;
};

type Props<Row> = { column: Column<Row>; row: Row; state: RowState };

const isWhy = (content: ReactNode) => isValidElement<WhyProps>(content) && content.type === Why && content.props;

/** Returns a value without the control that explains it. */
export function printed(content: ReactNode): ReactNode {
  const why = isWhy(content);
  return why ? why.children : content;
}

/** The displayed value of a row in a column. Elements belong to the row, while texts and figures are replaced when the line shows another row. */
export function contentIn<Row>({ column, row, state }: Props<Row>) {
  const content = contentOf(column, row);
  const why = isWhy(content);
  if (why) return <FigureButton {...why} open={state.explained === why.figure} />;
  return typeof content === 'object' ? <Fragment key={state.id}>{content}</Fragment> : content;
}

const markOf = (column: { id: string }, { marked }: RowState) => (marked?.includes(` ${column.id} `) ? 'changed' : '');

/** One cell of a row, marked briefly after its value changed. */
export function Cell<Row>({ first, ...props }: Props<Row> & { first: boolean }) {
  const { column, state } = props;
  const look =
    column.kind === 'decimal'
      ? 'num text-right'
      : column.kind === 'date'
        ? 'num text-ink-2'
        : first
          ? 'font-medium'
          : 'text-ink-2';
  return (
    <div role="gridcell" className={`truncate ${look} ${markOf(column, state)}`}>
      {contentIn(props)}
    </div>
  );
}

/** A value with its name, in a row of a narrow screen. One that is alone on its line has all of it. */
export function NamedCell<Row>({ alone, ...props }: Props<Row> & { alone?: boolean }) {
  const { column, state } = props;
  const figure = column.kind !== undefined && column.kind !== 'text';
  return (
    <Named name={column.header} figure={figure} alone={alone} mark={markOf(column, state)}>
      {contentIn(props)}
    </Named>
  );
}

type NamedProps = { name: string; figure?: boolean; alone?: boolean; mark?: string; children: ReactNode };

/** A value with its name. Its name is cut first if both have no room. */
export const Named = ({ name, figure, alone, mark = '', children }: NamedProps) => (
  <div
    role="gridcell"
    className={`flex h-6 min-w-0 items-center justify-between gap-2 text-xs ${alone ? 'col-span-2' : ''}`}
  >
    <span className={`text-ink-3 in-[[aria-selected=true]]:text-ink-2 ${figure ? 'min-w-0 truncate' : 'shrink-0'}`}>
      {name}
    </span>
    <span
      className={`num text-right text-ink-2 ${figure ? 'max-w-full shrink-0 truncate' : 'min-w-0 flex-1 truncate [&>.flex]:justify-end'} ${mark}`}
    >
      {children}
    </span>
  </div>
);

import type { Edit, EventFields } from '@meetmark/contracts';
import { shortenText } from '@meetmark/contracts/cut-text';
import { editConflictText as text } from '@meetmark/i18n/texts/edit-conflict';
import { Button } from 'antd';
import { useEffect, useId, useRef } from 'react';
import { getErrorDetails } from '../api/client';
import { useCommunity } from '../api/community';
import { ActionButton } from './action-button';
import styles from './edit-conflict.module.css';
import { useFormats } from './use-formats';

/** Labels of the API's fields. `coHosts` needs no label, because changed co-hosts appear as changed hosts. */
const FIELDS: Record<string, string> & Record<Exclude<keyof EventFields, 'coHosts'>, string> = text.fields;

interface EditConflictProps<Values> {
  edits: Edit[];
  base: Values;
  mine: Values;
  theirs: Values;
  show?: (name: keyof Values, value: unknown) => string | undefined;
  fields?: Record<string, string>;
  saving: boolean;
  saveMine: () => void;
  takeTheirs: () => void;
}

export function EditConflict<Values extends object>({
  edits,
  base,
  mine,
  theirs,
  show,
  fields: given,
  saving,
  saveMine,
  takeTheirs,
}: EditConflictProps<Values>) {
  const notice = useRef<HTMLElement>(null);
  const titleId = useId();
  const fields = { ...FIELDS, ...given };
  useEffect(() => {
    notice.current?.focus();
  }, [edits]);
  const names = (Object.keys(theirs) as (keyof Values & string)[]).filter(
    (name) => !isSame(theirs[name], base[name]) && !isSame(theirs[name], mine[name]),
  );
  const shown = (name: keyof Values & string, value: unknown) => show?.(name, value) ?? plain(value);
  return (
    <section ref={notice} className={styles.notice} tabIndex={-1} role="alert" aria-labelledby={titleId}>
      <h3 id={titleId}>{text.title}</h3>
      <ul className={styles.edits}>
        {edits.map((edit) => (
          <EditLine key={edit.at} edit={edit} fields={fields} />
        ))}
        {edits.length === 0 && <li>{text.unknown}</li>}
      </ul>
      {names.length > 0 && (
        <table className={styles.differences}>
          <caption className="visually-hidden">{text.differences}</caption>
          <thead>
            <tr>
              <th scope="col">{text.field}</th>
              <th scope="col">{text.theirs}</th>
              <th scope="col">{text.yours}</th>
            </tr>
          </thead>
          <tbody>
            {names.map((name) => (
              <tr key={name}>
                <th scope="row">{fields[name] ?? name}</th>
                <td dir="auto">{shown(name, theirs[name])}</td>
                {isSame(mine[name], base[name]) ? (
                  <td className={styles.none}>{text.notYours}</td>
                ) : (
                  <td dir="auto">{shown(name, mine[name])}</td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p>{text.kept}</p>
      <div className={styles.buttons}>
        <Button onClick={takeTheirs}>{text.takeTheirs}</Button>
        <ActionButton onClick={saveMine} inactive={saving}>
          {saving ? text.saving : text.saveMine}
        </ActionButton>
      </div>
    </section>
  );
}

interface EditLineProps {
  edit: Edit;
  fields: Record<string, string>;
}

function EditLine({ edit: { by, own, at, changed }, fields }: EditLineProps) {
  const { locale } = useCommunity();
  const { shortMoment } = useFormats();
  const names = changed.flatMap((name) => fields[name] ?? []);
  const listed = names.length === 0 ? text.something : new Intl.ListFormat(locale).format(names);
  const who = own ? text.byYou : (by ?? text.byAdmin);
  return <li>{text.edit({ who, fields: listed, when: shortMoment(at) })}</li>;
}

const SHOWN = 200;

function plain(value: unknown): string {
  if (typeof value === 'boolean') return value ? text.yes : text.no;
  if (value === null || value === '') return text.empty;
  return shortenText(String(value), SHOWN);
}

interface Conflict<T> {
  edits: Edit[];
  present: T;
}

export function getEditConflict<T>(error: unknown): Conflict<T> | null {
  const { edits = [], present } = getErrorDetails(error, 'EDIT_CONFLICT') ?? {};
  return present === undefined ? null : { edits, present: present as T };
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Returns only the changed fields. Sending just these keeps other people's changes. */
export const changesSince = <Values extends object>(base: Values, values: Values): Partial<Values> =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !isSame(value, base[name as keyof Values])),
  ) as Partial<Values>;

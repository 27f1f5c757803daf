import type { AuditEntry } from '@meetmark/contracts';
import { adminAuditText as text } from '../../../strings/admin';
import { useFormats } from '../../../ui/use-formats';
import styles from '../shared/admin.module.css';

/** What an entry changed, with what it was before and is after where that is kept. */
export function Changes({ entry: { changed, values } }: { entry: AuditEntry }) {
  const { dateTime } = useFormats();
  const fields = [...new Set([...changed, ...Object.keys(values)])];
  if (fields.length === 0) return text.none;
  const say = (field: string, value: string | null) => {
    if (value === null) return text.noValue;
    if (field === 'role' || field === 'status')
      return ({ ...text.roles, ...text.statuses } as Record<string, string>)[value] ?? value;
    return field === 'startDate' || field === 'endDate' ? dateTime(value) : value;
  };
  return (
    <ul className={styles.changes}>
      {fields.map((field) => {
        const kept = values[field];
        return (
          <li key={field}>
            {inWords(field)}
            {kept && (
              <>
                : <bdi>{text.becomes(say(field, kept.before), say(field, kept.after))}</bdi>
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** 'startDate' as 'start date'. */
const inWords = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

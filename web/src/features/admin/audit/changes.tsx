import type { AuditAction, AuditEntry } from '@meetmark/contracts';
import { adminAuditText as text, adminUsersText } from '@meetmark/i18n/texts/admin';
import { editConflictText } from '@meetmark/i18n/texts/edit-conflict';
import { settingsText } from '@meetmark/i18n/texts/settings';
import { Link } from 'react-router-dom';
import { AT_PLACE } from '../../../ui/event-times';
import { useFormats } from '../../../ui/use-formats';
import styles from '../shared/admin.module.css';

export function Changes({ entry: { action, changed, values } }: { entry: AuditEntry }) {
  const { dateTime, eventMoment } = useFormats();
  const fields = [...new Set([...changed, ...Object.keys(values)])];
  if (fields.length === 0) return text.none;
  if (action === 'waitlist.promoted' || action === 'waitlist.removed')
    return <Link to={`/admin/events/${fields[0]!}`}>{text.event}</Link>;
  const words = getLabels(action);
  const say = (field: string, value: string | null) => {
    if (value === null) return text.noValue;
    if (field === 'role' || field === 'status')
      return ({ ...adminUsersText.roleNames, ...text.statuses } as Record<string, string>)[value] ?? value;
    if (field === 'checkedIn') return dateTime(value);
    return field === 'startDate' || field === 'endDate' ? eventMoment(AT_PLACE, value) : value;
  };
  return (
    <ul className={styles.changes}>
      {fields.map((field) => {
        const kept = values[field];
        return (
          <li key={field}>
            {words[field] ?? field}
            {kept && (
              <>
                :{' '}
                <bdi>{text.becomes({ before: say(field, kept.before), after: say(field, kept.after) })}</bdi>
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function getLabels(action: AuditAction): Partial<Record<string, string>> {
  if (action === 'settings.changed') return settingsText.fields;
  const words = { ...editConflictText.fields, ...text.fields };
  return action === 'account.updated' ? { ...words, description: editConflictText.about } : words;
}

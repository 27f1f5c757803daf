import { type ReactNode, useState } from 'react';
import { adminText } from '../../../strings/admin';
import { ActionButton } from '../../../ui/action-button';
import { Avatar, type AvatarPerson } from '../../../ui/marks';
import styles from './admin.module.css';

interface PersonProps {
  person: AvatarPerson & { firstName: string; lastName: string; email: string };
  children?: ReactNode;
}

/** Picture, full name and address of someone in a list. */
export function Person({ person, children }: PersonProps) {
  return (
    <div className={styles.person}>
      <Avatar person={person} size={40} />
      <div className={styles.words}>
        <p className={styles.name}>
          <bdi>
            {person.firstName} {person.lastName}
          </bdi>{' '}
          {children}
        </p>
        <p className={styles.email}>{person.email}</p>
      </div>
    </div>
  );
}

export interface RowAction {
  label: string;
  danger?: boolean;
  /** While the promise is open the button shows it and does nothing. */
  run: () => void | Promise<void>;
}

interface RowActionsProps {
  /** Whose actions they are: part of each button's name for screen readers. */
  subject: string;
  actions: RowAction[];
}

export function RowActions({ subject, actions }: RowActionsProps) {
  return (
    <div className={styles.actions}>
      {/* Keyed by position: 'Make Admin' becomes 'Remove Admin' and keeps the focus. */}
      {actions.map((action, place) => (
        <RowButton key={place} subject={subject} {...action} />
      ))}
    </div>
  );
}

function RowButton({ subject, label, danger, run }: RowAction & { subject: string }) {
  const [running, setRunning] = useState(false);
  const start = async () => {
    const outcome = run();
    if (!outcome) return;
    setRunning(true);
    await outcome;
    setRunning(false);
  };
  return (
    <ActionButton
      size="small"
      type="text"
      danger={danger}
      loading={running}
      aria-label={adminText.actionFor(label, subject)}
      onClick={() => void start()}
    >
      {label}
    </ActionButton>
  );
}

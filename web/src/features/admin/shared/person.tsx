import type { ReactNode } from 'react';
import { Avatar, type AvatarPerson } from '../../../ui/marks';
import styles from './person.module.css';

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

import type { User } from '@meetmark/contracts';
import { Drawer } from 'antd';
import { useState } from 'react';
import { adminUsersText as text } from '../../../strings/admin';
import { commonText } from '../../../strings/common';
import { useFormats } from '../../../ui/use-formats';
import { Person } from '../shared/list-table';
import styles from '../shared/admin.module.css';

/** What is known of an account. Open while it is rendered. */
export function UserDrawer({ user, close }: { user: User; close: () => void }) {
  const [open, setOpen] = useState(true);
  const { dateTime } = useFormats();
  const facts = [
    [text.role, text.roleBadges[user.role]],
    [text.joined, dateTime(user.createdAt)],
    [text.changed, dateTime(user.updatedAt)],
    [text.address, user.emailVerifiedAt ? text.verified : text.unverified],
    [text.signsIn, user.hasPassword ? text.withPassword : text.withCode],
    [text.secondFactor, user.hasSecondFactor ? text.hasFactor : text.noFactor],
  ] as const;
  return (
    <Drawer
      open={open}
      title={text.user}
      size={440}
      closable={{ 'aria-label': commonText.close }}
      onClose={() => setOpen(false)}
      afterOpenChange={(isOpen) => isOpen || close()}
    >
      <Person person={user} />
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Drawer>
  );
}

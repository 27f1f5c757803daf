import type { Event } from '@meetmark/contracts';
import { useQuery } from '@tanstack/react-query';
import { Drawer } from 'antd';
import { useState } from 'react';
import { hasCode, serverMessage } from '../../../api/client';
import { adminText, adminWaitlistText as text } from '../../../strings/admin';
import { commonText } from '../../../strings/common';
import { EmptyState } from '../../../ui/feedback';
import { useToasts } from '../../../ui/toasts';
import { useFormats } from '../../../ui/use-formats';
import { useFailure } from '../../auth/session';
import { ConfirmDialog } from '../shared/confirm-dialog';
import { type Column, ListTable, Person, RowActions } from '../shared/list-table';
import { PagedList, usePagination } from '../shared/paged-list';
import styles from '../shared/admin.module.css';
import {
  firstWaitlistPath,
  useWaitlistAction,
  type WaitingMember,
  type WaitlistAction,
  waitlistPageQuery,
} from './admin-events.api';

/** Who waits for a place, first come first, with their addresses: for administrators only. Open while it is rendered. */
export function WaitlistDrawer({ event, close }: { event: Event; close: () => void }) {
  const [open, setOpen] = useState(true);
  return (
    <Drawer
      open={open}
      title={text.titleOf(event.title)}
      size={860}
      closable={{ 'aria-label': commonText.close }}
      onClose={() => setOpen(false)}
      afterOpenChange={(isOpen) => isOpen || close()}
    >
      <Waitlist event={event} />
    </Drawer>
  );
}

function Waitlist({ event }: { event: Event }) {
  const { count, ...formats } = useFormats();
  const toasts = useToasts();
  const failed = useFailure();
  const pagination = usePagination(firstWaitlistPath(event.id));
  const waiting = useQuery(waitlistPageQuery(pagination.path));
  const acting = useWaitlistAction(event.id);
  const [toRemove, setToRemove] = useState<WaitingMember | null>(null);
  const [toAdd, setToAdd] = useState<WaitingMember | null>(null);
  const nameOf = ({ member }: WaitingMember) => `${member.firstName} ${member.lastName}`;
  const act = async (entry: WaitingMember, action: WaitlistAction) => {
    try {
      await acting.mutateAsync({ userId: entry.userId, action });
      toasts.success(commonText.success, text[action === 'remove' ? 'removed' : 'promoted'](nameOf(entry)));
    } catch (error) {
      if (hasCode(error, 'EVENT_FULL')) setToAdd(entry);
      else failed(error, serverMessage(error) ?? text.failed);
    }
  };

  const columns: Column<WaitingMember>[] = [
    { key: 'member', title: text.name, place: 'lead', cell: ({ member }) => <Person person={member} /> },
    { key: 'position', title: text.position, cell: ({ position }) => count(position) },
    {
      key: 'joined',
      title: text.joined,
      oneLine: true,
      cell: ({ joinedAt }) => formats.dateTime(joinedAt),
    },
    {
      key: 'actions',
      title: adminText.actions,
      place: 'actions',
      cell: (entry) => (
        <RowActions
          subject={nameOf(entry)}
          actions={[
            { label: text.promote, run: () => act(entry, 'promote') },
            { label: text.remove, danger: true, run: () => setToRemove(entry) },
          ]}
        />
      ),
    },
  ];
  return (
    <PagedList list={text.list} pagination={pagination} page={waiting}>
      {(rows, busy) => (
        <>
          <div className={styles.bar}>
            <p>{waiting.data && text.count(count(waiting.data.total))}</p>
          </div>
          <ListTable
            caption={text.list}
            columns={columns}
            rows={rows}
            busy={busy}
            empty={<EmptyState title={text.empty} />}
          />
          {toAdd && (
            <ConfirmDialog
              title={text.addTitle}
              question={text.addQuestion(nameOf(toAdd))}
              warning={text.addWarning}
              confirm={text.addConfirm}
              onConfirm={() => void act(toAdd, 'add')}
              close={() => setToAdd(null)}
            />
          )}
          {toRemove && (
            <ConfirmDialog
              danger
              title={text.removeTitle}
              question={text.removeQuestion(nameOf(toRemove))}
              warning={text.removeWarning}
              confirm={text.removeConfirm}
              onConfirm={() => void act(toRemove, 'remove')}
              close={() => setToRemove(null)}
            />
          )}
        </>
      )}
    </PagedList>
  );
}

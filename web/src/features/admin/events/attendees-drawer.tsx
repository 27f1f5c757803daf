import type { Event, RegistrationWithMember } from '@meetmark/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Drawer } from 'antd';
import { useState } from 'react';
import { adminEventsText, adminEventsText as text, adminUsersText } from '../../../strings/admin';
import { commonText } from '../../../strings/common';
import { ActionButton } from '../../../ui/action-button';
import { EmptyState } from '../../../ui/feedback';
import { DownloadIcon } from '../../../ui/icons';
import { useToasts } from '../../../ui/toasts';
import { useFormats } from '../../../ui/use-formats';
import { useFailure } from '../../auth/session';
import { fileDate, saveCsv, toCsv } from '../shared/csv';
import { type Column, ListTable, Person } from '../shared/list-table';
import styles from '../shared/admin.module.css';
import { PagedList, usePagination } from '../shared/paged-list';
import { fetchAllRegistrations, firstRegistrationsPath, registrationsPageQuery } from './admin-events.api';

/** The people registered for an event, with their addresses: for administrators only. Open while it is rendered. */
export function AttendeesDrawer({ event, close }: { event: Event; close: () => void }) {
  const [open, setOpen] = useState(true);
  return (
    <Drawer
      open={open}
      title={text.attendeesOf(event.title)}
      size="large"
      closable={{ 'aria-label': commonText.close }}
      onClose={() => setOpen(false)}
      afterOpenChange={(isOpen) => isOpen || close()}
    >
      <Attendees event={event} />
    </Drawer>
  );
}

function Attendees({ event }: { event: Event }) {
  const { count, ...formats } = useFormats();
  const pagination = usePagination(firstRegistrationsPath(event.id));
  const registrations = useQuery(registrationsPageQuery(pagination.path));

  const columns: Column<RegistrationWithMember>[] = [
    { key: 'member', title: text.name, place: 'lead', cell: ({ member }) => <Person person={member} /> },
    {
      key: 'at',
      title: text.registeredAt,
      oneLine: true,
      cell: ({ registeredAt }) => formats.dateTime(registeredAt),
    },
  ];
  return (
    <PagedList list={text.attendeesList} pagination={pagination} page={registrations}>
      {(rows, busy) => (
        <>
          <div className={styles.bar}>
            <p>{registrations.data && text.attendeeCount(count(registrations.data.total))}</p>
            <ExportAttendeesButton event={event} />
          </div>
          <ListTable
            caption={text.attendeesList}
            columns={columns}
            rows={rows}
            busy={busy}
            empty={<EmptyState title={text.noAttendees} />}
          />
        </>
      )}
    </PagedList>
  );
}

function ExportAttendeesButton({ event }: { event: Event }) {
  const toasts = useToasts();
  const failed = useFailure();
  const exporting = useMutation({ mutationFn: () => fetchAllRegistrations(event.id) });
  const run = () =>
    exporting.mutate(undefined, {
      onSuccess: (registrations) => {
        if (registrations.length === 0) return toasts.info(adminUsersText.noData, text.noneToExport);
        saveCsv(attendeesFileName(event.title, fileDate()), attendeesCsv(registrations));
        toasts.success(commonText.success, text.attendeesExported);
      },
      onError: (error) => failed(error, text.attendeesExportFailed),
    });
  return (
    <ActionButton icon={<DownloadIcon size={18} />} loading={exporting.isPending} onClick={run}>
      {text.exportAttendees}
    </ActionButton>
  );
}

const { csv: words } = adminUsersText;

/** First Name, Last Name, Email and Registered At in ISO 8601 (UTC), which every program reads alike. */
export const attendeesCsv = (registrations: RegistrationWithMember[]): string =>
  toCsv(
    registrations.map(({ member, registeredAt }) => ({
      [words.firstName]: member.firstName,
      [words.lastName]: member.lastName,
      [words.email]: member.email,
      [adminEventsText.registeredAt]: new Date(registeredAt).toISOString(),
    })),
  );

const LONGEST_SLUG = 60;

/** The title in a form that every file system takes. */
export function attendeesFileName(title: string, date: string): string {
  const slug = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^\p{Letter}\p{Number}]+/gu, '-')
    .slice(0, LONGEST_SLUG)
    .replaceAll(/^-+|-+$/g, '');
  return `attendees-${slug || 'event'}-${date}.csv`;
}

import type { Event, EventPage, Guest } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { adminText } from '@meetmark/i18n/texts/admin';
import { commonText } from '@meetmark/i18n/texts/common';
import { guestsText as text } from '@meetmark/i18n/texts/workspace';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { hasCode, serverMessage } from '../../../api/client';
import { ActionButton, useOnce } from '../../../ui/action-button';
import { Dialog, DialogButtons } from '../../../ui/dialog';
import { EmptyState } from '../../../ui/feedback';
import { EmailField, Field } from '../../../ui/field';
import { DownloadIcon, PlusIcon } from '../../../ui/more-icons';
import { Avatar, Badge, type BadgeTone } from '../../../ui/marks';
import { useToasts } from '../../../ui/toasts';
import { useFilters } from '../../../ui/use-filters';
import { looksLikeEmail, useForm } from '../../../ui/use-form';
import { useFormats } from '../../../ui/use-formats';
import { useFailure } from '../../auth/session';
import { HelpButton } from '../../help/help-button';
import admin from '../shared/admin.module.css';
import { ConfirmDialog } from '../shared/confirm-dialog';
import { type Column, ListToolbar, RowActions, SelectFilter } from '../shared/list-table';
import { fileDate, saveCsv } from '../shared/csv';
import { PagedList, usePagination } from '../shared/paged-list';
import { SelectionBar, useSelection } from '../shared/selection';
import type { ChosenGuests } from '../messages/messages';
import { GuestDrawer } from './guest-drawer';
import { RemoveGuestsDialog } from './remove-guests-dialog';
import {
  firstGuestsPath,
  type GuestFilters,
  guestsFilePath,
  guestsPageQuery,
  useAddGuest,
  useExportGuests,
  usePlaceGuest,
  waitingAtFull,
} from './workspace.api';
import styles from './workspace.module.css';

const DEFAULTS: GuestFilters = { q: '', state: 'all', checkedIn: 'all', unconfirmed: 'all' };
const CHOICES = {
  state: ['all', 'registered', 'waitlisted', 'cancelled'],
  checkedIn: ['all', 'true', 'false'],
  unconfirmed: ['all', 'true', 'false'],
} as const;

export function Guests({ event }: { event: EventPage }) {
  const { count, dateTime } = useFormats();
  const [filters, changeFilters] = useFilters(DEFAULTS, CHOICES);
  const pagination = usePagination(firstGuestsPath(event.id, filters));
  const guests = useQuery(guestsPageQuery(event.id, pagination.path));
  const [adding, setAdding] = useState(false);
  const [shown, setShown] = useState<Guest | null>(null);
  const placing = usePlacing(event);
  const selection = useSelection<Guest>();
  const { q, ...choices } = filters;
  const filtered = q !== '' || Object.values(choices).some((choice) => choice !== 'all');

  const place = (guest: Guest) => placing.place(guest, false);
  const columns = buildColumns(event, dateTime, { show: setShown, place });
  return (
    <>
      <GuestToolbar event={event} filters={filters} change={changeFilters} add={() => setAdding(true)} />
      <PagedList
        list={text.list}
        pagination={pagination}
        page={guests}
        columns={columns}
        compact
        selection={selection}
        getName={({ name }) => name}
        empty={
          filtered ? (
            <EmptyState title={text.noneFound} />
          ) : (
            <EmptyState title={text.none} hint={text.noneHint} />
          )
        }
      />
      <SelectionBar list={text.list} selection={selection}>
        <WithChosen event={event} guests={selection.rows} clear={selection.clear} />
      </SelectionBar>
      {guests.data && <p className="visually-hidden">{text.count({ total: count(guests.data.total) })}</p>}
      {adding && <AddGuestDialog event={event} close={() => setAdding(false)} />}
      {shown && (
        <GuestDrawer
          event={event}
          guest={guests.data?.items.find(({ id }) => id === shown.id) ?? shown}
          place={place}
          close={() => setShown(null)}
        />
      )}
      {placing.question}
    </>
  );
}

interface GuestToolbarProps {
  event: EventPage;
  filters: GuestFilters;
  change: (changed: Partial<GuestFilters>) => void;
  add: () => void;
}

function GuestToolbar({ event, filters, change, add }: GuestToolbarProps) {
  return (
    <ListToolbar hint={text.searchHint} q={filters.q} change={change}>
      <SelectFilter
        label={text.state}
        value={filters.state}
        options={text.stateFilter}
        change={(state) => change({ state })}
      />
      <SelectFilter
        label={text.checkedIn}
        value={filters.checkedIn}
        options={text.checkedInFilter}
        change={(checkedIn) => change({ checkedIn })}
      />
      <SelectFilter
        label={text.confirmed}
        value={filters.unconfirmed}
        options={text.unconfirmedFilter}
        change={(unconfirmed) => change({ unconfirmed })}
      />
      <div className={styles.tools}>
        <Button href={guestsFilePath(event.id)} download icon={<DownloadIcon size={18} />}>
          {text.export}
        </Button>
        {event.status === 'published' && (
          <Button type="primary" icon={<PlusIcon size={18} />} onClick={add}>
            {text.add}
          </Button>
        )}
        <HelpButton panel="guests" title={text.list} />
      </div>
    </ListToolbar>
  );
}

interface RowActs {
  show: (guest: Guest) => void;
  place: (guest: Guest) => Promise<void>;
}

const buildColumns = (
  event: EventPage,
  dateTime: (moment: string) => string,
  { show, place }: RowActs,
): Column<Guest>[] => [
  {
    key: 'name',
    title: text.name,
    place: 'lead',
    cell: (guest) => <GuestName guest={guest} show={() => show(guest)} />,
  },
  {
    key: 'state',
    title: text.state,
    onPhone: true,
    cell: (guest) => <GuestMarks event={event} guest={guest} />,
  },
  {
    key: 'at',
    title: text.registeredAt,
    oneLine: true,
    cell: ({ registeredAt }) => dateTime(registeredAt),
  },
  { key: 'note', title: text.note, cell: ({ note }) => <span className={styles.guestNote}>{note}</span> },
  {
    key: 'actions',
    title: adminText.actions,
    place: 'actions',
    cell: (guest) =>
      guest.state === 'waitlisted' && (
        <RowActions subject={guest.name} actions={[{ label: text.place, run: () => place(guest) }]} />
      ),
  },
];

interface WithChosenProps {
  event: Event;
  guests: Guest[];
  clear: () => void;
}

function WithChosen({ event, guests, clear }: WithChosenProps) {
  const { count } = useFormats();
  const navigate = useNavigate();
  const toasts = useToasts();
  const failed = useFailure();
  const exporting = useExportGuests(event.id);
  const [removing, setRemoving] = useState(false);
  const coming = guests.filter(({ state }) => state !== 'cancelled');
  const remove = () => {
    if (coming.length === 0) return toasts.info(text.nobodyToRemove);
    if (coming.length > LIMITS.guestsChosen)
      return toasts.info(text.tooManyToRemove({ most: count(LIMITS.guestsChosen) }));
    return setRemoving(true);
  };
  const reachable = guests.filter(({ email, state }) => email !== null && state !== 'cancelled');
  const write = () => {
    if (reachable.length === 0) return toasts.info(text.unreachable);
    if (reachable.length > LIMITS.messageChosen)
      return toasts.info(text.tooMany({ most: count(LIMITS.messageChosen) }));
    const chosen: ChosenGuests = { chosen: reachable.map(({ id, name }) => ({ id, name })) };
    return void navigate(`/admin/events/${event.id}/messages`, { state: chosen });
  };
  return (
    <>
      <Button type="primary" onClick={write}>
        {text.message({ people: count(reachable.length) })}
      </Button>
      <ActionButton
        loading={exporting.isPending}
        onClick={() =>
          exporting.mutate(
            guests.map(({ id }) => id),
            {
              onSuccess: (csv) => saveCsv(`guests-${fileDate()}.csv`, csv),
              onError: (error) => failed(error, serverMessage(error) ?? text.exportFailed),
            },
          )
        }
      >
        {adminText.exportSelected}
      </ActionButton>
      <Button danger onClick={remove}>
        {text.removeMany({ people: count(coming.length) })}
      </Button>
      {removing && (
        <RemoveGuestsDialog event={event} guests={coming} removed={clear} close={() => setRemoving(false)} />
      )}
    </>
  );
}

const GuestName = ({ guest, show }: { guest: Guest; show: () => void }) => (
  <div className={admin.person}>
    <Avatar person={{ ...splitName(guest), profileImageUrl: guest.profileImageUrl }} size={40} />
    <div className="min-0">
      <button type="button" className={admin.title} onClick={show}>
        <bdi>{guest.name}</bdi>
      </button>
      <p className={admin.email}>{guest.email ?? text.noEmail}</p>
    </div>
  </div>
);

function splitName({ name, email }: Guest) {
  const words = name.trim().split(/\s+/);
  return { firstName: words[0], lastName: words.length > 1 ? words.at(-1) : undefined, email: email ?? name };
}

const STATE_TONES = { registered: 'good', waitlisted: 'warm', cancelled: 'quiet' } satisfies Record<
  Guest['state'],
  BadgeTone
>;

function GuestMarks({ event, guest }: { event: EventPage; guest: Guest }) {
  const { eventHours } = useFormats();
  return (
    <span className={admin.statuses}>
      {guest.checkedInAt ? (
        <Badge tone="good">{text.cameAt({ time: eventHours(event, guest.checkedInAt) })}</Badge>
      ) : guest.noShow ? (
        <Badge tone="bad">{text.noShow}</Badge>
      ) : (
        <Badge tone={STATE_TONES[guest.state]}>{text.states[guest.state]}</Badge>
      )}
      {event.price !== null && guest.paidAt && <Badge tone="accent">{text.paid}</Badge>}
      {guest.unconfirmed && <Badge tone="warm">{text.unconfirmed}</Badge>}
    </span>
  );
}

function usePlacing(event: Event) {
  const toasts = useToasts();
  const failed = useFailure();
  const placing = usePlaceGuest(event.id);
  const [full, setFull] = useState<{ guest: Guest; waiting: number } | null>(null);
  const place = async (guest: Guest, raiseCapacity: boolean) => {
    try {
      await placing.mutateAsync({ id: guest.id, raiseCapacity });
      toasts.success(commonText.success, text.placed({ name: guest.name }));
    } catch (error) {
      const waiting = waitingAtFull(error);
      if (waiting === null) failed(error, serverMessage(error) ?? text.failed);
      else setFull({ guest, waiting });
    }
  };
  const question = full && (
    <FullEventDialog
      name={full.guest.name}
      waiting={full.waiting - (full.guest.state === 'waitlisted' ? 1 : 0)}
      add={() => void place(full.guest, true)}
      close={() => setFull(null)}
    />
  );
  return { place, question };
}

interface FullEventDialogProps {
  name: string;
  waiting: number;
  add: () => void;
  close: () => void;
}

const FullEventDialog = ({ name, waiting, add, close }: FullEventDialogProps) => (
  <ConfirmDialog
    title={text.fullTitle}
    question={text.fullQuestion({ name })}
    warning={text.fullWarning({ others: Math.max(0, waiting) })}
    confirm={text.fullConfirm}
    onConfirm={add}
    close={close}
  />
);

function AddGuestDialog({ event, close }: { event: Event; close: () => void }) {
  const toasts = useToasts();
  const failed = useFailure();
  const adding = useAddGuest(event.id);
  const addOnce = useOnce(adding);
  const [full, setFull] = useState<number | null>(null);
  const { form, fields, bind, refuse, refuseAs, submit } = useForm(
    { name: '', email: '' },
    ({ name, email }) => ({
      ...(name.trim() === '' && { name: text.nameRequired }),
      ...(email.trim() !== '' && !looksLikeEmail(email) && { email: text.emailInvalid }),
    }),
  );
  const name = fields.name.trim();
  const add = (raiseCapacity: boolean, dismiss: () => void) =>
    addOnce(
      { name, email: fields.email.trim() || null, ...(raiseCapacity && { raiseCapacity }) },
      {
        onSuccess: () => {
          toasts.success(commonText.success, text.added({ name }));
          dismiss();
        },
        onError: (error) => {
          const waiting = waitingAtFull(error);
          if (waiting !== null) return setFull(waiting);
          if (hasCode(error, 'GUEST_EXISTS')) return refuse({ email: text.exists });
          failed(error, serverMessage(error) ?? text.failed);
          return refuseAs(error);
        },
      },
    );
  return (
    <Dialog title={text.addTitle} close={close} width={520} form>
      {(dismiss) => (
        <form ref={form} className={styles.fields} onSubmit={submit(() => add(false, dismiss))} noValidate>
          <p className={styles.soft}>{text.addIntro}</p>
          <Field label={text.name} autoFocus autoComplete="off" maxLength={200} {...bind('name')} />
          <EmailField label={text.email} hint={text.emailHint} {...bind('email')} autoComplete="off" />
          <DialogButtons dismiss={dismiss} inactive={adding.isPending}>
            {adding.isPending ? text.addingNow : text.addConfirm}
          </DialogButtons>
          {full !== null && (
            <FullEventDialog
              name={name}
              waiting={full}
              add={() => add(true, dismiss)}
              close={() => setFull(null)}
            />
          )}
        </form>
      )}
    </Dialog>
  );
}

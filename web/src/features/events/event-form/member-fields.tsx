import type { CoHostState } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { eventFormText as text } from '@meetmark/i18n/texts/event-form';
import { useQuery } from '@tanstack/react-query';
import { Checkbox, Select, type SelectProps } from 'antd';
import { useDeferredValue, useId, useState } from 'react';
import { ChevronDownIcon } from '../../../ui/icons';
import { Avatar } from '../../../ui/marks';
import { memberSearchQuery } from '../shared/events.api';
import type { ChosenHost } from './event-fields';
import { FieldError } from './event-form-fields';
import styles from './event-form.module.css';

interface Member {
  id: string;
  name: string;
}

interface Option {
  value: string;
  label: string;
  picture: string | null;
}

function useMemberSearch<Value>(eventId: string | undefined, taken: string[]) {
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  const long = q.length >= LIMITS.memberSearchMin;
  const { data, isFetching, isError } = useQuery({ ...memberSearchQuery(eventId, q), enabled: long });
  const options = (long ? (data ?? []) : [])
    .filter(({ id }) => !taken.includes(id))
    .map(({ id, firstName, lastName, profileImageUrl }) => ({
      value: id,
      label: `${firstName} ${lastName}`,
      picture: profileImageUrl,
    }));
  const nobody = !long
    ? text.memberSearch
    : isFetching
      ? text.memberSearching
      : isError
        ? text.memberFailed
        : text.memberNone;
  const props: SelectProps<Value, Option> = {
    size: 'large',
    // replaces antd's icon, whose accessible name is always English
    suffixIcon: <ChevronDownIcon size={16} />,
    getPopupContainer: (field: HTMLElement) => field.parentElement!,
    placeholder: text.memberPlaceholder,
    showSearch: { filterOption: false, searchValue: typed, onSearch: setTyped },
    notFoundContent: nobody,
    optionRender: shown,
    options,
  };
  return { props, clear: () => setTyped('') };
}

const shown = ({ data }: { data: Option }) => (
  <span className={styles.member}>
    <Avatar
      person={{
        firstName: data.label,
        lastName: data.label.split(' ').at(-1),
        profileImageUrl: data.picture,
      }}
      size={28}
    />
    <bdi>{data.label}</bdi>
  </span>
);

interface HostsFieldProps {
  eventId: string | undefined;
  hosts: ChosenHost[];
  error?: string;
  change: (hosts: ChosenHost[]) => void;
}

export function HostsField({ eventId, hosts, error, change }: HostsFieldProps) {
  const field = useId();
  const { props, clear } = useMemberSearch<{ value: string; label: string }[]>(
    eventId,
    hosts.map((host) => host.id),
  );
  return (
    <div className={styles.members}>
      <label htmlFor={field} className={styles.label}>
        {text.hosts}
      </label>
      <Select<{ value: string; label: string }[], Option>
        {...props}
        id={field}
        mode="multiple"
        labelInValue
        aria-describedby={`${field}-hint`}
        maxCount={LIMITS.hosts}
        value={hosts.map(({ id: value, name: label }) => ({ value, label }))}
        onChange={(chosen) => {
          clear();
          change(
            chosen.map(
              ({ value, label }) =>
                hosts.find(({ id }) => id === value) ?? { id: value, name: label, manages: false },
            ),
          );
        }}
      />
      <p id={`${field}-hint`} className={styles.soft}>
        {text.membersAgree}
      </p>
      {hosts.length > 0 && (
        <ul className={styles.hosts} aria-label={text.hostsChosen}>
          {hosts.map((host) => (
            <li key={host.id}>
              <ChosenHostRow
                host={host}
                change={(manages) =>
                  change(hosts.map((each) => (each.id === host.id ? { ...each, manages } : each)))
                }
              />
            </li>
          ))}
        </ul>
      )}
      <FieldError>{error}</FieldError>
    </div>
  );
}

/** A host can agree to be shown without agreeing to manage the event. */
function ChosenHostRow({ host, change }: { host: ChosenHost; change: (manages: boolean) => void }) {
  const { name, manages, saved } = host;
  return (
    <>
      <p>
        <bdi className={styles.hostName}>{name}</bdi>{' '}
        <span className={styles.soft}>
          {text.asHost}: {getAnswerText(host, saved && (saved.agreed ? 'agreed' : 'asked'))}
        </span>
      </p>
      <Checkbox
        checked={manages}
        aria-label={text.asCoHostFor({ name })}
        onChange={({ target }) => change(target.checked)}
      >
        {text.asCoHost}
        {manages && <span className={styles.soft}>: {getAnswerText(host, saved?.coHost)}</span>}
      </Checkbox>
    </>
  );
}

function getAnswerText({ saved }: ChosenHost, state: CoHostState | 'unsaved' = 'unsaved'): string {
  const { invitation } = saved ?? {};
  if (state !== 'asked' || !invitation) return text.invitation[state];
  if (!invitation.works) return text.invitationEnded;
  return invitation.by === null ? text.invitation.asked : text.askedBy({ name: invitation.by });
}

interface MemberSpeakerProps {
  eventId: string | undefined;
  taken: string[];
  choose: (member: Member) => void;
}

export function MemberSpeaker({ eventId, taken, choose }: MemberSpeakerProps) {
  const id = useId();
  const { props, clear } = useMemberSearch<string | null>(eventId, taken);
  return (
    <div className={styles.members}>
      <label htmlFor={id} className={styles.label}>
        {text.addMemberSpeaker}
      </label>
      <Select<string | null, Option>
        {...props}
        id={id}
        aria-describedby={`${id}-hint`}
        value={null}
        onSelect={(userId, { label }) => {
          choose({ id: String(userId), name: label });
          clear();
        }}
      />
      <p id={`${id}-hint`} className={styles.soft}>
        {text.membersAgree}
      </p>
    </div>
  );
}

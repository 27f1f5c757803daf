import { LIMITS } from '@meetmark/contracts/limits';
import { useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useDeferredValue, useId, useState } from 'react';
import { eventFormText as text } from '../../../strings/event-form';
import { useMember } from '../../auth/session';
import { firstUsersPath, usersPageQuery } from '../../admin/users/users.api';
import styles from './event-form.module.css';

interface Member {
  id: string;
  name: string;
}

interface Option {
  value: string;
  label: string;
  /** Two people may have one name. */
  email: string;
}

/** Members whose name or address has what is typed, but those who are taken. */
function useMembers(typed: string, taken: string[]): { options: Option[]; isFetching: boolean } {
  const q = useDeferredValue(typed.trim());
  const { data, isFetching } = useQuery({
    ...usersPageQuery(firstUsersPath({ q, role: 'all', sort: 'name' })),
    enabled: q !== '',
  });
  const found = q === '' ? [] : (data?.items ?? []);
  const options = found
    .filter(({ id }) => !taken.includes(id))
    .map(({ id, firstName, lastName, email }) => ({ value: id, label: `${firstName} ${lastName}`, email }));
  return { options, isFetching: isFetching && q !== '' };
}

const shown = ({ data }: { data: Option }) => (
  <span className={styles.member}>
    <bdi>{data.label}</bdi> <span className={styles.soft}>{data.email}</span>
  </span>
);

/** The proposals stand beside their field, in the dialog and its landmarks. */
const withinForm = (field: HTMLElement) => field.parentElement!;

/** What is said where no member is proposed. */
const nobody = (typed: string, isFetching: boolean) =>
  isFetching ? text.memberSearching : typed.trim() ? text.memberNone : text.memberSearch;

interface HostsFieldProps {
  hosts: Member[];
  error?: string;
  change: (hosts: Member[]) => void;
}

/** Only owners may search the accounts; for everybody else the hosts stay as they are. */
const useMaySearch = () => useMember().isAdmin;

/** Who hosts the event, of the members. */
export function HostsField({ hosts, error, change }: HostsFieldProps) {
  const field = useId();
  const [typed, setTyped] = useState('');
  const { options, isFetching } = useMembers(
    typed,
    hosts.map((host) => host.id),
  );
  if (!useMaySearch()) return null;
  return (
    <div className={styles.members}>
      <label htmlFor={field} className={styles.label}>
        {text.hosts}
      </label>
      <Select<{ value: string; label: string }[], Option>
        id={field}
        mode="multiple"
        size="large"
        getPopupContainer={withinForm}
        labelInValue
        aria-describedby={`${field}-hint`}
        maxCount={LIMITS.hosts}
        placeholder={text.memberPlaceholder}
        showSearch={{
          filterOption: false,
          searchValue: typed,
          onSearch: setTyped,
          autoClearSearchValue: true,
        }}
        notFoundContent={nobody(typed, isFetching)}
        optionRender={shown}
        options={options}
        value={hosts.map(({ id: value, name: label }) => ({ value, label }))}
        onChange={(chosen) => change(chosen.map(({ value, label }) => ({ id: value, name: label })))}
      />
      <p id={`${field}-hint`} className={styles.soft}>
        {text.membersAgree}
      </p>
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

interface MemberSpeakerProps {
  taken: string[];
  choose: (member: Member) => void;
}

/** Adds a member as a speaker. */
export function MemberSpeaker({ taken, choose }: MemberSpeakerProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const { options, isFetching } = useMembers(typed, taken);
  if (!useMaySearch()) return null;
  return (
    <div className={styles.members}>
      <label htmlFor={id} className={styles.label}>
        {text.addMemberSpeaker}
      </label>
      <Select<string | null, Option>
        id={id}
        size="large"
        getPopupContainer={withinForm}
        aria-describedby={`${id}-hint`}
        placeholder={text.memberPlaceholder}
        showSearch={{ filterOption: false, searchValue: typed, onSearch: setTyped }}
        notFoundContent={nobody(typed, isFetching)}
        optionRender={shown}
        options={options}
        value={null}
        onSelect={(userId, { label }) => {
          choose({ id: String(userId), name: label });
          setTyped('');
        }}
      />
      <p id={`${id}-hint`} className={styles.soft}>
        {text.membersAgree}
      </p>
    </div>
  );
}

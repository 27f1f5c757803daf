import type { Proposal, ProposalState } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { proposalsText as text } from '@meetmark/i18n/texts/proposals';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { ActionButton } from '../../ui/action-button';
import { PlusIcon } from '../../ui/more-icons';
import { lazyDialog } from '../../ui/lazy';
import { Badge, type BadgeTone } from '../../ui/marks';
import { ScreenHeading, usePageTitle } from '../../ui/screen-heading';
import { AT_PLACE } from '../../ui/event-times';
import { useFormats } from '../../ui/use-formats';
import { useQueryChange } from '../../ui/use-query-change';
import { ProposalList } from './proposal-list';
import { ownProposalsQuery } from './proposals.api';
import styles from './proposals.module.css';

const ProposeDialog = lazyDialog(() => import('./propose-dialog'));

const TONES: Record<ProposalState, BadgeTone> = { open: 'warm', accepted: 'good', declined: 'quiet' };

export default function ProposalsScreen() {
  usePageTitle(text.title);
  const [search] = useSearchParams();
  const changeQuery = useQueryChange();
  const limit = useId();
  const own = useQuery(ownProposalsQuery);
  const open = own.data?.filter(({ state }) => state === 'open').length ?? 0;
  const full = open >= LIMITS.openProposals;
  return (
    <>
      <ScreenHeading title={text.title} intro={text.intro}>
        <ActionButton
          type="primary"
          icon={<PlusIcon size={18} />}
          inactive={full}
          aria-describedby={full ? limit : undefined}
          onClick={() => void changeQuery((query) => query.set('propose', '1'))}
        >
          {text.propose}
        </ActionButton>
      </ScreenHeading>
      {full && (
        <p id={limit} className={styles.limit}>
          {text.limit({ most: LIMITS.openProposals })}
        </p>
      )}
      <ProposalList query={own} words={text}>
        {(proposal) => <OwnProposal proposal={proposal} />}
      </ProposalList>
      {search.has('propose') && own.data && (
        <ProposalForm
          full={full}
          close={() => void changeQuery((query) => query.delete('propose'), { replace: true })}
        />
      )}
    </>
  );
}

/** Stays open if the member reaches the limit while typing, so that the input isn't lost. */
function ProposalForm({ full, close }: { full: boolean; close: () => void }) {
  const [mayPropose] = useState(!full);
  return mayPropose ? <ProposeDialog close={close} /> : null;
}

function OwnProposal({ proposal }: { proposal: Proposal }) {
  const { eventSpan, shortDate } = useFormats();
  const { title, description, state, words, eventId, proposedAt } = proposal;
  return (
    <article className={styles.proposal}>
      <div className={styles.head}>
        <h2 dir="auto">{title}</h2>
        <Badge tone={TONES[state]}>{text.states[state]}</Badge>
      </div>
      <p>{eventSpan({ ...proposal, ...AT_PLACE, isAllDay: false })}</p>
      {description && (
        <p className={styles.description} dir="auto">
          {description}
        </p>
      )}
      {words && (
        <figure className={styles.words}>
          <figcaption>{text.words}</figcaption>
          <blockquote dir="auto">{words}</blockquote>
        </figure>
      )}
      {state === 'accepted' &&
        (eventId ? (
          <Link to={`/admin/events/${eventId}`}>{text.openDraft}</Link>
        ) : (
          <p className={styles.soft}>{text.eventGone}</p>
        ))}
      <p className={styles.soft}>{text.proposedAt({ date: shortDate(proposedAt) })}</p>
    </article>
  );
}

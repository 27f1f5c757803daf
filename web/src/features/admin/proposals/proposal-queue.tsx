import type { Proposal } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { adminText } from '@meetmark/i18n/texts/admin';
import { formerText } from '@meetmark/i18n/texts/closing';
import { proposalQueueText as text } from '@meetmark/i18n/texts/proposals';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ActionButton } from '../../../ui/action-button';
import { Dialog, DialogButtons } from '../../../ui/dialog';
import { TextArea } from '../../../ui/field';
import { Avatar } from '../../../ui/marks';
import { useForm } from '../../../ui/use-form';
import { AT_PLACE } from '../../../ui/event-times';
import { useFormats } from '../../../ui/use-formats';
import { useAction } from '../../auth/use-action';
import { ProposalList } from '../../proposals/proposal-list';
import { proposalQueueQuery, useDecide } from '../../proposals/proposals.api';
import styles from '../../proposals/proposals.module.css';
import { AdminHeading } from '../shared/admin-heading';

export default function ProposalQueue() {
  const open = useQuery(proposalQueueQuery);
  const [declined, setDeclined] = useState<Proposal | null>(null);
  return (
    <>
      <AdminHeading panel="proposals" text={text} />
      <ProposalList query={open} words={text}>
        {(proposal) => <OpenProposal proposal={proposal} decline={() => setDeclined(proposal)} />}
      </ProposalList>
      {declined && <DeclineDialog proposal={declined} close={() => setDeclined(null)} />}
    </>
  );
}

const formatName = ({ proposer }: Proposal) =>
  proposer === null ? formerText.name : `${proposer.firstName} ${proposer.lastName}`;

function OpenProposal({ proposal, decline }: { proposal: Proposal; decline: () => void }) {
  const { eventSpan, shortDate } = useFormats();
  const navigate = useNavigate();
  const accepting = useDecide();
  const acceptOnce = useAction(accepting);
  const { id, title, description, proposedAt, proposer } = proposal;
  const accept = () =>
    acceptOnce(
      { id },
      {
        success: text.accepted({ name: formatName(proposal) }),
        failed: text.failed,
        onSuccess: ({ eventId }) => void navigate(`/admin/events/${eventId}`),
      },
    );
  return (
    <article className={styles.proposal}>
      <h2 dir="auto">{title}</h2>
      <div className="flex gap-3 centred">
        {proposer && <Avatar person={proposer} size={32} />}
        <p className={styles.soft}>
          <bdi>{text.by({ name: formatName(proposal), date: shortDate(proposedAt) })}</bdi>
        </p>
      </div>
      <p>{eventSpan({ ...proposal, ...AT_PLACE, isAllDay: false })}</p>
      {description && (
        <p className={styles.description} dir="auto">
          {description}
        </p>
      )}
      <div className="flex wrap gap-2">
        <ActionButton
          type="primary"
          inactive={accepting.isPending}
          aria-label={adminText.actionFor({ action: text.accept, subject: title })}
          onClick={accept}
        >
          {accepting.isPending ? text.accepting : text.accept}
        </ActionButton>
        <Button aria-label={adminText.actionFor({ action: text.decline, subject: title })} onClick={decline}>
          {text.decline}
        </Button>
      </div>
    </article>
  );
}

function DeclineDialog({ proposal, close }: { proposal: Proposal; close: () => void }) {
  const declining = useDecide();
  const declineOnce = useAction(declining);
  const { form, bind, fields, refuseAs, submit } = useForm({ words: '' }, ({ words }) =>
    words.trim() === '' ? { words: text.wordsRequired } : {},
  );
  const decline = (dismiss: () => void) =>
    declineOnce(
      { id: proposal.id, words: fields.words.trim() },
      {
        success: text.declined({ name: formatName(proposal) }),
        failed: text.failed,
        onSuccess: dismiss,
        onError: refuseAs,
      },
    );
  return (
    <Dialog title={text.declineTitle} close={close} width={520} form>
      {(dismiss) => (
        <form
          ref={form}
          className="grid one-column gap-4"
          noValidate
          onSubmit={submit(() => decline(dismiss))}
        >
          <p>{text.declineIntro({ title: proposal.title })}</p>
          <TextArea
            label={text.declineWords({ firstName: proposal.proposer?.firstName ?? formerText.name })}
            hint={text.declineHint}
            maxLength={LIMITS.note}
            rows={4}
            {...bind('words')}
          />
          <DialogButtons dismiss={dismiss} danger inactive={declining.isPending}>
            {declining.isPending ? text.declining : text.decline}
          </DialogButtons>
        </form>
      )}
    </Dialog>
  );
}

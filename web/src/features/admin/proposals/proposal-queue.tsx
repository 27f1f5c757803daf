import type { Proposal } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { adminText } from '@meetmark/contracts/texts/admin';
import { commonText } from '@meetmark/contracts/texts/common';
import { proposalQueueText as text } from '@meetmark/contracts/texts/proposals';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { serverMessage } from '../../../api/client';
import { ActionButton, useOnce } from '../../../ui/action-button';
import { Dialog, DialogActions } from '../../../ui/dialog';
import { TextArea } from '../../../ui/field';
import { Avatar } from '../../../ui/marks';
import { ScreenHeading, usePageTitle } from '../../../ui/screen-heading';
import { useToasts } from '../../../ui/toasts';
import { useForm } from '../../../ui/use-form';
import { AT_PLACE } from '../../../ui/event-times';
import { useFormats } from '../../../ui/use-formats';
import { useFailure } from '../../auth/session';
import { HelpButton } from '../../help/help-button';
import { ProposalList } from '../../proposals/proposal-list';
import { proposalQueueQuery, useDecide } from '../../proposals/proposals.api';
import styles from '../../proposals/proposals.module.css';

/** What members propose, until an organiser accepts or declines it. */
export default function ProposalQueue() {
  usePageTitle(text.title);
  const open = useQuery(proposalQueueQuery);
  const [declined, setDeclined] = useState<Proposal | null>(null);
  return (
    <>
      <ScreenHeading
        title={text.title}
        intro={text.intro}
        help={<HelpButton panel="proposals" title={text.title} />}
      />
      <ProposalList query={open} words={text}>
        {(proposal) => <OpenProposal proposal={proposal} decline={() => setDeclined(proposal)} />}
      </ProposalList>
      {declined && <DeclineDialog proposal={declined} close={() => setDeclined(null)} />}
    </>
  );
}

const nameOf = ({ proposer: { firstName, lastName } }: Proposal) => `${firstName} ${lastName}`;

function OpenProposal({ proposal, decline }: { proposal: Proposal; decline: () => void }) {
  const { eventSpan, shortDate } = useFormats();
  const navigate = useNavigate();
  const toasts = useToasts();
  const failed = useFailure();
  const accepting = useDecide();
  const acceptOnce = useOnce(accepting);
  const { id, title, description, proposedAt, proposer } = proposal;
  const accept = () =>
    acceptOnce(
      { id },
      {
        onSuccess: ({ eventId }) => {
          toasts.success(commonText.success, text.accepted({ name: nameOf(proposal) }));
          void navigate(`/admin/events/${eventId}`);
        },
        onError: (error) => failed(error, serverMessage(error) ?? text.failed),
      },
    );
  return (
    <article className={styles.proposal}>
      <h2 dir="auto">{title}</h2>
      <div className={styles.proposer}>
        <Avatar person={proposer} size={32} />
        <p className={styles.soft}>
          <bdi>{text.by({ name: nameOf(proposal), date: shortDate(proposedAt) })}</bdi>
        </p>
      </div>
      <p>{eventSpan({ ...proposal, ...AT_PLACE, isAllDay: false })}</p>
      {description && (
        <p className={styles.description} dir="auto">
          {description}
        </p>
      )}
      <div className={styles.buttons}>
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
  const toasts = useToasts();
  const failed = useFailure();
  const declining = useDecide();
  const declineOnce = useOnce(declining);
  const { form, bind, fields, refuseAs, submit } = useForm({ words: '' }, ({ words }) =>
    words.trim() === '' ? { words: text.wordsRequired } : {},
  );
  const decline = (dismiss: () => void) =>
    declineOnce(
      { id: proposal.id, words: fields.words.trim() },
      {
        onSuccess: () => {
          toasts.success(commonText.success, text.declined({ name: nameOf(proposal) }));
          dismiss();
        },
        onError: (error) => {
          failed(error, serverMessage(error) ?? text.failed);
          refuseAs(error);
        },
      },
    );
  return (
    <Dialog title={text.declineTitle} close={close} width={520} form>
      {(dismiss) => (
        <form ref={form} className={styles.form} noValidate onSubmit={submit(() => decline(dismiss))}>
          <p>{text.declineIntro({ title: proposal.title })}</p>
          <TextArea
            label={text.declineWords({ firstName: proposal.proposer.firstName })}
            hint={text.declineHint}
            maxLength={LIMITS.note}
            rows={4}
            {...bind('words')}
          />
          <DialogActions>
            <Button onClick={dismiss}>{commonText.cancel}</Button>
            <ActionButton type="primary" danger htmlType="submit" inactive={declining.isPending}>
              {declining.isPending ? text.declining : text.decline}
            </ActionButton>
          </DialogActions>
        </form>
      )}
    </Dialog>
  );
}

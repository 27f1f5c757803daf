import { proposalQueueText as text } from '@meetmark/i18n/texts/proposals';
import { useQuery } from '@tanstack/react-query';
import { proposalQueueQuery } from '../../proposals/proposals.api';
import styles from '../../proposals/proposals.module.css';

export default function ProposalCount() {
  const open = useQuery(proposalQueueQuery).data?.length ?? 0;
  if (open === 0) return null;
  return (
    <span className={styles.count}>
      <span aria-hidden="true">{open}</span>
      <span className="visually-hidden">{text.open({ count: open })}</span>
    </span>
  );
}

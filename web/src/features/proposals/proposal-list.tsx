import type { Proposal } from '@meetmark/contracts';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { EmptyState, Loaded } from '../../ui/feedback';
import styles from './proposals.module.css';

interface ProposalListProps {
  query: UseQueryResult<Proposal[]>;
  words: { list: string; none: string; noneHint: string };
  children: (proposal: Proposal) => ReactNode;
}

export const ProposalList = ({ query, words, children }: ProposalListProps) => (
  <Loaded query={query}>
    {(proposals) =>
      proposals.length === 0 ? (
        <EmptyState title={words.none} hint={words.noneHint} />
      ) : (
        <ul className={styles.list} aria-label={words.list}>
          {proposals.map((proposal) => (
            <li key={proposal.id}>{children(proposal)}</li>
          ))}
        </ul>
      )
    }
  </Loaded>
);

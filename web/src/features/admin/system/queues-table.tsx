import type { QueueStatus } from '@meetmark/contracts';
import { adminSystemText as text } from '../../../strings/admin';
import { Badge } from '../../../ui/marks';
import { EmptyState } from '../../../ui/feedback';
import { type Column, ListTable } from '../shared/list-table';
import { useCounts } from '../shared/use-counts';

export function QueuesTable({ queues }: { queues: QueueStatus[] }) {
  const count = useCounts();
  const figure = (
    key: 'waiting' | 'active' | 'delayed',
    title: string,
  ): Column<QueueStatus & { id: string }> => ({
    key,
    title,
    align: 'end',
    cell: (queue) => count(queue[key]),
  });
  const columns: Column<QueueStatus & { id: string }>[] = [
    { key: 'name', title: text.queue, place: 'lead', cell: ({ name }) => <strong>{name}</strong> },
    figure('waiting', text.waiting),
    figure('active', text.active),
    figure('delayed', text.delayed),
    {
      key: 'failed',
      title: text.failed,
      align: 'end',
      cell: ({ failed }) => (failed === 0 ? count(0) : <Badge tone="accent">{count(failed)}</Badge>),
    },
    {
      key: 'oldest',
      title: text.oldestWaiting,
      align: 'end',
      cell: ({ oldestWaiting }) => (oldestWaiting === null ? text.none : text.seconds(count(oldestWaiting))),
    },
  ];
  return (
    <ListTable
      caption={text.queues}
      columns={columns}
      rows={queues.map((queue) => ({ ...queue, id: queue.name }))}
      empty={<EmptyState title={text.noQueues} />}
    />
  );
}

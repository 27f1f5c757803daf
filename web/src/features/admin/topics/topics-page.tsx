import type { ListedTopic } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { adminText } from '@meetmark/i18n/texts/admin';
import { adminTopicsText as text } from '@meetmark/i18n/texts/topics';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { hasCode, serverMessage } from '../../../api/client';
import { ALWAYS_STALE } from '../../../api/query-client';
import { ActionButton } from '../../../ui/action-button';
import { Dialog, DialogButtons } from '../../../ui/dialog';
import { EmptyState, Loaded } from '../../../ui/feedback';
import { Field } from '../../../ui/field';
import { SelectField } from '../../../ui/select-field';
import { type FieldErrors, useForm } from '../../../ui/use-form';
import { useAction } from '../../auth/use-action';
import { TopicFeeds } from '../../topics/topic-chips';
import {
  type TopicChange,
  topicsQuery,
  useAddTopic,
  useDeleteTopic,
  useMergeTopic,
  useRenameTopic,
} from '../../topics/topics.api';
import styles from '../../topics/topics.module.css';
import { AdminHeading } from '../shared/admin-heading';
import { ConfirmDialog } from '../shared/confirm-dialog';

type Action = 'rename' | 'merge' | 'delete';

export default function TopicsPage() {
  const topics = useQuery({ ...topicsQuery, ...ALWAYS_STALE });
  return (
    <>
      <AdminHeading panel="topics" text={text} />
      <Loaded query={topics}>{(all) => <Topics topics={all} />}</Loaded>
    </>
  );
}

function Topics({ topics }: { topics: ListedTopic[] }) {
  const [asked, setAsked] = useState<{ action: Action; topic: ListedTopic } | null>(null);
  const close = () => setAsked(null);
  // defined outside the dialog, because the dialog closes before the response arrives
  const deleteOnce = useAction(useDeleteTopic());
  return (
    <>
      {topics.length < LIMITS.topics ? (
        <AddTopic />
      ) : (
        <p className={styles.full}>{text.full({ most: LIMITS.topics })}</p>
      )}
      {topics.length === 0 ? (
        <EmptyState title={text.none} hint={text.noneHint} />
      ) : (
        <>
          <p className={styles.soft} role="status">
            {text.count({ count: topics.length, most: LIMITS.topics })}
          </p>
          <ul className={styles.topics} aria-label={text.list}>
            {topics.map((topic) => (
              <li key={topic.id} className={styles.topic}>
                <div>
                  <h2 dir="auto">{topic.name}</h2>
                  <span className={styles.soft}>
                    {topic.slug} · {text.upcoming({ count: topic.upcoming })}
                  </span>
                </div>
                <TopicFeeds topic={topic} />
                <div className="flex wrap gap-2">
                  {(['rename', 'merge', 'delete'] as const)
                    .filter((action) => action !== 'merge' || topics.length > 1)
                    .map((action) => {
                      const label = { ...text, delete: adminText.delete }[action];
                      return (
                        <Button
                          key={action}
                          danger={action === 'delete'}
                          aria-label={adminText.actionFor({ action: label, subject: topic.name })}
                          onClick={() => setAsked({ action, topic })}
                        >
                          {label}
                        </Button>
                      );
                    })}
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
      {asked?.action === 'rename' && <RenameDialog topic={asked.topic} close={close} />}
      {asked?.action === 'merge' && <MergeDialog topic={asked.topic} topics={topics} close={close} />}
      {asked?.action === 'delete' && (
        <ConfirmDialog
          title={text.deleteTitle}
          question={text.deleteQuestion({ topic: asked.topic.name })}
          warning={text.deleteWarning}
          confirm={adminText.delete}
          danger
          onConfirm={() => deleteOnce(asked.topic, { success: text.deleted, failed: text.failed })}
          close={close}
        />
      )}
    </>
  );
}

const required = ({ name }: { name: string }): FieldErrors<{ name: string; slug: string }> =>
  name.trim() === '' ? { name: text.nameRequired } : {};

const toTopicChange = ({ name, slug }: { name: string; slug: string }): TopicChange => ({
  name: name.trim(),
  ...(slug.trim() && { slug: slug.trim() }),
});

const EMPTY = { name: '', slug: '' };

function AddTopic() {
  const adding = useAddTopic();
  const addOnce = useAction(adding);
  const { form, fields, errors, bind, change, refuseAs, submit } = useForm(EMPTY, required);
  // the server asks for a slug only if the name has no Latin letters or digits
  const asksSlug = fields.slug !== '' || errors.slug !== undefined;
  const add = submit((given) =>
    addOnce(toTopicChange(given), {
      success: text.added,
      failed: text.failed,
      onSuccess: () => change(EMPTY),
      onError: refuseAs,
    }),
  );
  return (
    <form ref={form} className={styles.add} onSubmit={add} noValidate>
      <Field
        label={text.name}
        placeholder={text.namePlaceholder}
        maxLength={LIMITS.topicName}
        {...bind('name')}
      />
      {asksSlug && <Field label={text.slug} maxLength={LIMITS.topicSlug} {...bind('slug')} />}
      <ActionButton type="primary" htmlType="submit" inactive={adding.isPending}>
        {adding.isPending ? text.adding : text.add}
      </ActionButton>
    </form>
  );
}

interface TopicDialogProps {
  topic: ListedTopic;
  close: () => void;
}

function RenameDialog({ topic, close }: TopicDialogProps) {
  const renaming = useRenameTopic(topic);
  const renameOnce = useAction(renaming);
  const { form, fields, bind, refuse, refuseAs, submit } = useForm(
    { name: topic.name, slug: topic.slug },
    required,
  );
  const rename = (dismiss: () => void) =>
    renameOnce(toTopicChange(fields), {
      success: text.renamed,
      failed: text.failed,
      onSuccess: dismiss,
      onError: (error) => {
        if (hasCode(error, 'TOPIC_EXISTS')) refuse({ name: serverMessage(error) ?? text.failed });
        else refuseAs(error);
      },
    });
  return (
    <Dialog title={text.renameTitle} close={close} width={480} form>
      {(dismiss) => (
        <form ref={form} className={styles.form} noValidate onSubmit={submit(() => rename(dismiss))}>
          <Field label={text.renameName} maxLength={LIMITS.topicName} autoFocus {...bind('name')} />
          <Field
            label={text.slug}
            maxLength={LIMITS.topicSlug}
            hint={fields.slug.trim() === topic.slug ? text.slugHint : text.addressWarning}
            {...bind('slug')}
          />
          <DialogButtons dismiss={dismiss} inactive={renaming.isPending}>
            {renaming.isPending ? text.saving : text.save}
          </DialogButtons>
        </form>
      )}
    </Dialog>
  );
}

function MergeDialog({ topic, topics, close }: TopicDialogProps & { topics: ListedTopic[] }) {
  const merging = useMergeTopic(topic);
  const mergeOnce = useAction(merging);
  const others = topics.filter(({ id }) => id !== topic.id);
  const [into, setInto] = useState(others[0]?.id ?? '');
  const merge = (dismiss: () => void) =>
    mergeOnce(into, { success: text.merged, failed: text.failed, onSettled: dismiss });
  return (
    <Dialog title={text.mergeTitle({ topic: topic.name })} close={close} width={480} compact>
      {(dismiss) => (
        <div className={styles.form}>
          <p>{text.mergeIntro}</p>
          <SelectField
            label={text.mergeInto}
            options={others.map(({ id, name }) => ({ value: id, label: name }))}
            value={into}
            onChange={setInto}
          />
          <DialogButtons dismiss={dismiss} inactive={merging.isPending} onClick={() => merge(dismiss)}>
            {merging.isPending ? text.merging : text.merge}
          </DialogButtons>
        </div>
      )}
    </Dialog>
  );
}

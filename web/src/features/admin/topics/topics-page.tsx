import type { ListedTopic } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { adminText } from '@meetmark/contracts/texts/admin';
import { commonText } from '@meetmark/contracts/texts/common';
import { adminTopicsText as text } from '@meetmark/contracts/texts/topics';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { hasCode, serverMessage } from '../../../api/client';
import { ALWAYS_STALE } from '../../../api/query-client';
import { ActionButton, useOnce } from '../../../ui/action-button';
import { Dialog, DialogActions } from '../../../ui/dialog';
import { EmptyState, Loaded } from '../../../ui/feedback';
import { Field } from '../../../ui/field';
import { ScreenHeading, usePageTitle } from '../../../ui/screen-heading';
import { SelectField } from '../../../ui/select-field';
import { useToasts } from '../../../ui/toasts';
import { type FieldErrors, useForm } from '../../../ui/use-form';
import { useFailure } from '../../auth/session';
import { HelpButton } from '../../help/help-button';
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
import { ConfirmDialog } from '../shared/confirm-dialog';

type Action = 'rename' | 'merge' | 'delete';

/** The owner keeps the topics of the community. */
export default function TopicsPage() {
  usePageTitle(text.title);
  const topics = useQuery({ ...topicsQuery, ...ALWAYS_STALE });
  return (
    <>
      <ScreenHeading
        title={text.title}
        intro={text.intro}
        help={<HelpButton panel="topics" title={text.title} />}
      />
      <Loaded query={topics}>{(all) => <Topics topics={all} />}</Loaded>
    </>
  );
}

function Topics({ topics }: { topics: ListedTopic[] }) {
  const [asked, setAsked] = useState<{ action: Action; topic: ListedTopic } | null>(null);
  const close = () => setAsked(null);
  const toasts = useToasts();
  const failed = useFailure();
  // Its dialog is gone before the answer comes.
  const deleteOnce = useOnce(useDeleteTopic());
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
                <div className={styles.buttons}>
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
          onConfirm={() =>
            deleteOnce(asked.topic, {
              onSuccess: () => toasts.success(commonText.success, text.deleted),
              onError: (error) => failed(error, serverMessage(error) ?? text.failed),
            })
          }
          close={close}
        />
      )}
    </>
  );
}

const required = ({ name }: { name: string }): FieldErrors<{ name: string; slug: string }> =>
  name.trim() === '' ? { name: text.nameRequired } : {};

/** A slug that is empty is made of the name. */
const changeOf = ({ name, slug }: { name: string; slug: string }): TopicChange => ({
  name: name.trim(),
  ...(slug.trim() && { slug: slug.trim() }),
});

const EMPTY = { name: '', slug: '' };

function AddTopic() {
  const toasts = useToasts();
  const failed = useFailure();
  const adding = useAddTopic();
  const addOnce = useOnce(adding);
  const { form, fields, errors, bind, change, refuseAs, submit } = useForm(EMPTY, required);
  // Only a name without a Latin letter or digit needs one of its own.
  const asksSlug = fields.slug !== '' || errors.slug !== undefined;
  const add = submit((given) =>
    addOnce(changeOf(given), {
      onSuccess: () => {
        toasts.success(commonText.success, text.added);
        change(EMPTY);
      },
      onError: (error) => {
        failed(error, serverMessage(error) ?? text.failed);
        refuseAs(error);
      },
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
  const toasts = useToasts();
  const failed = useFailure();
  const renaming = useRenameTopic(topic);
  const renameOnce = useOnce(renaming);
  const { form, fields, bind, refuse, refuseAs, submit } = useForm(
    { name: topic.name, slug: topic.slug },
    required,
  );
  const rename = (dismiss: () => void) =>
    renameOnce(changeOf(fields), {
      onSuccess: () => {
        toasts.success(commonText.success, text.renamed);
        dismiss();
      },
      onError: (error) => {
        const message = serverMessage(error) ?? text.failed;
        failed(error, message);
        if (hasCode(error, 'TOPIC_EXISTS')) refuse({ name: message });
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
          <DialogActions>
            <Button onClick={dismiss}>{commonText.cancel}</Button>
            <ActionButton type="primary" htmlType="submit" inactive={renaming.isPending}>
              {renaming.isPending ? text.saving : text.save}
            </ActionButton>
          </DialogActions>
        </form>
      )}
    </Dialog>
  );
}

function MergeDialog({ topic, topics, close }: TopicDialogProps & { topics: ListedTopic[] }) {
  const toasts = useToasts();
  const failed = useFailure();
  const merging = useMergeTopic(topic);
  const mergeOnce = useOnce(merging);
  const others = topics.filter(({ id }) => id !== topic.id);
  const [into, setInto] = useState(others[0]?.id ?? '');
  const merge = (dismiss: () => void) =>
    mergeOnce(into, {
      onSuccess: () => toasts.success(commonText.success, text.merged),
      onError: (error) => failed(error, serverMessage(error) ?? text.failed),
      onSettled: dismiss,
    });
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
          <DialogActions>
            <Button onClick={dismiss}>{commonText.cancel}</Button>
            <ActionButton type="primary" inactive={merging.isPending} onClick={() => merge(dismiss)}>
              {merging.isPending ? text.merging : text.merge}
            </ActionButton>
          </DialogActions>
        </div>
      )}
    </Dialog>
  );
}

import { LIMITS } from '@meetmark/contracts/limits';
import { subscribeFormText as text } from '@meetmark/i18n/texts/topics';
import { useQuery } from '@tanstack/react-query';
import { Button, Checkbox } from 'antd';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { serverMessage } from '../../api/client';
import { ActionButton, useOnce } from '../../ui/action-button';
import { Refusal } from '../../ui/feedback';
import { Field } from '../../ui/field';
import { type FieldErrors, looksLikeEmail, useForm } from '../../ui/use-form';
import { TopicChips } from './topic-chips';
import { topicsQuery, useSubscribe } from './topics.api';
import styles from './topics.module.css';

const EMPTY = { email: '', topics: [] as string[], digest: true };

export default function SubscribeBox() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <section className={styles.box} aria-labelledby="subscribe-title">
      {sentTo === null ? (
        <>
          <div className={styles.words}>
            <h2 id="subscribe-title">{text.title}</h2>
            <p>{text.intro}</p>
          </div>
          <SubscribeForm sent={setSentTo} />
        </>
      ) : (
        <Sent email={sentTo} again={() => setSentTo(null)} />
      )}
    </section>
  );
}

const AHEAD = '400px';

function useNear(element: RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(!('IntersectionObserver' in window));
  useEffect(() => {
    if (near || !element.current) return undefined;
    const observer = new IntersectionObserver(
      (entries) => setNear(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: AHEAD },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, near]);
  return near;
}

function SubscribeForm({ sent }: { sent: (email: string) => void }) {
  const subscribing = useSubscribe();
  const subscribeOnce = useOnce(subscribing);
  const { form, fields, errors, bind, change, refuseAs, submit } = useForm(
    EMPTY,
    ({ email, topics: chosen, digest }): FieldErrors<typeof EMPTY> => ({
      ...(!looksLikeEmail(email) && { email: text.emailInvalid }),
      ...(!digest && chosen.length === 0 && { digest: text.choose }),
    }),
  );
  const subscribe = submit(({ email, ...wish }) =>
    subscribeOnce(
      { ...wish, email: email.trim() },
      { onSuccess: () => sent(email.trim()), onError: refuseAs },
    ),
  );
  const { data: topics = [] } = useQuery({ ...topicsQuery, enabled: useNear(form) });
  return (
    <form ref={form} className={styles.form} onSubmit={subscribe} noValidate>
      <Field
        label={text.email}
        type="email"
        autoComplete="email"
        maxLength={LIMITS.email}
        required
        {...bind('email')}
      />
      {topics.length > 0 && (
        <div className={styles.field}>
          <strong aria-hidden="true">{text.topics}</strong>
          <TopicChips
            label={text.topics}
            topics={topics}
            chosen={fields.topics}
            turn={({ id }, on) =>
              change({
                topics: on ? [...fields.topics, id] : fields.topics.filter((each) => each !== id),
                digest: fields.digest,
              })
            }
          />
        </div>
      )}
      <Checkbox checked={fields.digest} onChange={({ target }) => change({ digest: target.checked })}>
        {text.digest}
      </Checkbox>
      {errors.digest && <Refusal>{errors.digest}</Refusal>}
      {subscribing.error && <Refusal>{serverMessage(subscribing.error) ?? text.failed}</Refusal>}
      <div>
        <ActionButton type="primary" htmlType="submit" inactive={subscribing.isPending}>
          {subscribing.isPending ? text.acting : text.act}
        </ActionButton>
      </div>
    </form>
  );
}

function Sent({ email, again }: { email: string; again: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, []);
  return (
    <div className={styles.words}>
      <h2 id="subscribe-title" ref={heading} tabIndex={-1}>
        {text.sentTitle}
      </h2>
      <p>{text.sent({ email })}</p>
      <div>
        <Button onClick={again}>{text.another}</Button>
      </div>
    </div>
  );
}

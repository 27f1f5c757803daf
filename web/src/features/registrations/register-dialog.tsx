import type { Event, GivenAnswers, Question } from '@meetmark/contracts';
import { commonText } from '@meetmark/contracts/texts/common';
import { questionsText as text } from '@meetmark/contracts/texts/questions';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { ActionButton } from '../../ui/action-button';
import { Dialog, DialogActions } from '../../ui/dialog';
import { Loaded } from '../../ui/feedback';
import { useForm } from '../../ui/use-form';
import { eventQuery } from '../events/shared/events.api';
import { type AnswerFields, givenAnswers, unanswered } from './answers';
import Questions from './questions';
import styles from './registration-card.module.css';

interface RegisterDialogProps {
  event: Event;
  /** What the button says, and while it registers. */
  label: string;
  inactive: boolean;
  register: (
    answers: GivenAnswers,
    outcome: { onSuccess: () => void; onError: (error: unknown) => void },
  ) => void;
  close: () => void;
}

/** Asks a member what the event asks, and registers. */
export default function RegisterDialog({ event, close, ...registering }: RegisterDialogProps) {
  const query = useQuery(eventQuery(event.id));
  return (
    <Dialog title={text.title} close={close} width={520} form>
      {(dismiss) => (
        <Loaded query={query}>
          {({ content: { questions } }) => (
            <AnswersForm event={event} questions={questions} dismiss={dismiss} {...registering} />
          )}
        </Loaded>
      )}
    </Dialog>
  );
}

interface AnswersFormProps extends Omit<RegisterDialogProps, 'close'> {
  questions: Question[];
  dismiss: () => void;
}

function AnswersForm({ event, questions, label, inactive, register, dismiss }: AnswersFormProps) {
  const { form, bind, refuseAs, submit } = useForm<AnswerFields>({}, (fields) =>
    unanswered(questions, fields),
  );
  const send = submit((fields) =>
    register(givenAnswers(questions, fields), { onSuccess: dismiss, onError: refuseAs }),
  );
  return (
    <form ref={form} className={styles.form} onSubmit={send} noValidate>
      <p className={styles.soft}>{text.intro({ event: event.title })}</p>
      <Questions questions={questions} bind={bind} />
      <DialogActions>
        <Button onClick={dismiss}>{commonText.cancel}</Button>
        <ActionButton type="primary" htmlType="submit" inactive={inactive}>
          {label}
        </ActionButton>
      </DialogActions>
    </form>
  );
}

import type { Event, GivenAnswers, Question } from '@meetmark/contracts';
import { questionsText as text } from '@meetmark/i18n/texts/questions';
import { useQuery } from '@tanstack/react-query';
import { Dialog, DialogButtons } from '../../ui/dialog';
import { Loaded } from '../../ui/feedback';
import { useForm } from '../../ui/use-form';
import { eventQuery } from '../events/shared/events.api';
import { type AnswerFields, givenAnswers, unanswered } from './answers';
import Questions from './questions';
import styles from './registration-card.module.css';

interface RegisterDialogProps {
  event: Event;
  label: string;
  inactive: boolean;
  register: (
    answers: GivenAnswers,
    outcome: { onSuccess: () => void; onError: (error: unknown) => void },
  ) => void;
  close: () => void;
}

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
      <DialogButtons dismiss={dismiss} inactive={inactive}>
        {label}
      </DialogButtons>
    </form>
  );
}

import type { EventPage } from '@meetmark/contracts';
import type { HelpPanel } from '@meetmark/contracts/handbook';
import { LIMITS } from '@meetmark/contracts/limits';
import { eventFormText as text } from '@meetmark/i18n/texts/event-form';
import { questionsText } from '@meetmark/i18n/texts/questions';
import { eventTopicsText } from '@meetmark/i18n/texts/topics';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useCommunity } from '../../../api/community';
import { ChevronDownIcon } from '../../../ui/icons';
import { TextArea } from '../../../ui/field';
import { persist, readPersisted } from '../../../ui/persisted-state';
import type { useForm } from '../../../ui/use-form';
import { HelpButton } from '../../help/help-button';
import { topicsQuery } from '../../topics/topics.api';
import { ContentFields, OnlineFields, VenueDetails } from './content-fields';
import { CoverField } from './cover-field';
import {
  AllDayField,
  FormatField,
  PaymentNoteField,
  PublishingFields,
  RegistrationWindow,
  SwitchField,
  TimeZoneField,
  TopicsField,
  WaitlistField,
} from './event-form-fields';
import { type EventFormFields, toFormFields } from './event-fields';
import styles from './event-form.module.css';
import { QuestionsField } from './questions-field';
import type { WaitlistOff } from '../shared/events.api';

type FirstField =
  | 'title'
  | 'description'
  | 'startDate'
  | 'startTime'
  | 'endDate'
  | 'endTime'
  | 'location'
  | 'capacity'
  | 'bannerImageUrl'
  | 'isFree'
  | 'price';
type Option = Exclude<keyof EventFormFields, FirstField>;
type Part = 'registration' | 'when' | 'where' | 'topics' | 'questions' | 'content' | 'cover' | 'publishing';

const PART_OF: Record<Option, Part> = {
  waitlistEnabled: 'registration',
  paymentNote: 'registration',
  isAllDay: 'when',
  timeZone: 'when',
  registrationOpensAt: 'when',
  registrationClosesAt: 'when',
  format: 'where',
  venueAddress: 'where',
  venueNote: 'where',
  venueMapUrl: 'where',
  onlineUrl: 'where',
  onlineNote: 'where',
  accessibility: 'where',
  topics: 'topics',
  questions: 'questions',
  agenda: 'content',
  hosts: 'content',
  speakers: 'content',
  resources: 'content',
  recap: 'content',
  coverPattern: 'cover',
  coverSquare: 'cover',
  coverWide: 'cover',
  visibility: 'publishing',
  publishAt: 'publishing',
};
const OPTIONS = Object.keys(PART_OF) as Option[];

const partsWith = (test: (option: Option) => boolean) =>
  new Set(OPTIONS.filter(test).map((option) => PART_OF[option]));

const MORE = 'event-form-more';

interface MoreOptionsProps extends Pick<
  ReturnType<typeof useForm<EventFormFields>>,
  'fields' | 'errors' | 'change' | 'bind'
> {
  event?: EventPage;
  initial: EventFormFields;
  waitlistOff: {
    asks: number;
    off: WaitlistOff | undefined;
    choose: (off: WaitlistOff) => void;
    unanswered: boolean;
  };
  announcement?: { checked: boolean; change: (announce: boolean) => void };
}

/**
 * Is open at first if the event uses one of the options. Reopens if an option is invalid, or if the organiser
 * must decide about people on the waiting list.
 */
export function MoreOptions(props: MoreOptionsProps) {
  const { event, initial, fields, errors, change, bind, waitlistOff, announcement } = props;
  const { timeZone } = useCommunity();
  const { data: topics = [] } = useQuery(topicsQuery);
  const [used] = useState(() => {
    const blank = toFormFields(timeZone);
    return partsWith((option) => JSON.stringify(initial[option]) !== JSON.stringify(blank[option]));
  });
  const wrong = partsWith((option) => errors[option] !== undefined);
  const [isOpen, setOpen] = useState(() => used.size > 0 || readPersisted(MORE) !== null);
  const turn = () => {
    setOpen(!isOpen);
    persist(MORE, isOpen ? null : 'open');
  };
  const getPartProps = (part: Exclude<Part, 'registration'>, title: string) => ({
    title,
    isUsed: used.has(part),
    isWrong: wrong.has(part),
  });
  return (
    <Fold
      className={styles.more}
      title={text.more}
      isOpen={isOpen || waitlistOff.asks > 0 || wrong.size > 0}
      turn={turn}
    >
      <div className={styles.helpOf}>
        <HelpButton panel="eventPlaces" title={text.sections.places} />
      </div>
      <WaitlistField
        {...waitlistOff}
        enabled={fields.waitlistEnabled}
        change={(waitlistEnabled) => change({ waitlistEnabled })}
      />
      {!fields.isFree && <PaymentNoteField {...bind('paymentNote')} />}
      <OptionsSection {...getPartProps('when', text.sections.when)} help="eventWhen">
        <AllDayField checked={fields.isAllDay} change={(isAllDay) => change({ isAllDay })} />
        <TimeZoneField
          timeZone={fields.timeZone}
          error={errors.timeZone}
          change={(chosen) => change({ timeZone: chosen })}
        />
        <RegistrationWindow opens={bind('registrationOpensAt')} closes={bind('registrationClosesAt')} />
      </OptionsSection>
      <OptionsSection {...getPartProps('where', text.sections.where)} help="eventWhere">
        <FormatField format={fields.format} change={change} />
        <VenueDetails fields={fields} errors={errors} change={change} />
        <OnlineFields fields={fields} errors={errors} change={change} />
        <TextArea
          label={text.accessibility}
          placeholder={text.accessibilityPlaceholder}
          maxLength={LIMITS.note}
          rows={3}
          {...bind('accessibility')}
        />
      </OptionsSection>
      {topics.length > 0 && (
        <OptionsSection {...getPartProps('topics', eventTopicsText.label)} help="eventWhat">
          <TopicsField
            topics={fields.topics}
            error={errors.topics}
            change={(chosen) => change({ topics: chosen })}
          />
        </OptionsSection>
      )}
      <OptionsSection {...getPartProps('questions', questionsText.editor.section)} help="eventQuestions">
        <QuestionsField
          eventId={event?.id}
          questions={fields.questions}
          error={errors.questions}
          change={(questions) => change({ questions })}
        />
      </OptionsSection>
      <OptionsSection {...getPartProps('content', text.sections.content)} help="eventContent">
        <ContentFields eventId={event?.id} fields={fields} errors={errors} change={change} />
      </OptionsSection>
      <OptionsSection {...getPartProps('cover', text.sections.cover)} help="eventCover">
        <CoverField fields={fields} change={change} />
      </OptionsSection>
      <OptionsSection {...getPartProps('publishing', text.sections.publishing)} help="eventPublishing">
        <PublishingFields
          visibility={fields.visibility}
          change={change}
          later={!event || event.status === 'draft' ? bind('publishAt') : undefined}
        />
        {announcement && (
          <SwitchField
            label={eventTopicsText.announce}
            hint={eventTopicsText.announceHint}
            {...announcement}
          />
        )}
      </OptionsSection>
    </Fold>
  );
}

interface FoldProps {
  className?: string;
  title: string;
  isOpen: boolean;
  turn: () => void;
  children: ReactNode;
}

/** Collapsed fields stay in the page, so that their values aren't lost. */
const Fold = ({ className, title, isOpen, turn, children }: FoldProps) => (
  <details open={isOpen} className={className}>
    <summary
      onClick={(event) => {
        event.preventDefault();
        turn();
      }}
    >
      <h3>{title}</h3>
      <ChevronDownIcon size={18} />
    </summary>
    <div className={styles.section}>{children}</div>
  </details>
);

interface OptionsSectionProps {
  title: string;
  help: HelpPanel;
  isUsed: boolean;
  isWrong: boolean;
  children: ReactNode;
}

function OptionsSection({ title, help, isUsed: usedAtFirst, isWrong, children }: OptionsSectionProps) {
  const [isOpen, setOpen] = useState(usedAtFirst);
  return (
    <Fold className={styles.options} title={title} isOpen={isOpen || isWrong} turn={() => setOpen(!isOpen)}>
      <div className={styles.helpOf}>
        <HelpButton panel={help} title={title} />
      </div>
      {children}
    </Fold>
  );
}

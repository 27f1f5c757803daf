import type { CommunitySettings, EventPage, Settings } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { closestLocale, LOCALES, parseLocale } from '@meetmark/i18n/locales';
import { setupText as text } from '@meetmark/i18n/texts/setup';
import { currentZoneName } from '@meetmark/contracts/zone-names';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { hasCode, refusedFields, serverMessage } from '../../api/client';
import { CommunityContext, useCommunity } from '../../api/community';
import { ActionButton, useOnce } from '../../ui/action-button';
import { CardFrame } from '../../ui/card';
import { CentredSpinner } from '../../ui/centred-spinner';
import { browserZone } from '../../ui/dates';
import { changesSince } from '../../ui/edit-conflict';
import { dateError, toTimestamp } from '../../ui/date-input';
import { DateField } from '../../ui/date-field';
import { ErrorBoundary } from '../../ui/error-boundary';
import { EmailField, Field, FirstNameField, LastNameField } from '../../ui/field';
import { CardSkeleton, ErrorState, Refusal } from '../../ui/feedback';
import { inThisTab, persist, readPersisted } from '../../ui/persisted-state';
import { type FieldErrors, looksLikeEmail, useForm } from '../../ui/use-form';
import { whatToDo } from '../../ui/what-to-do';
import { wallClock } from '../../ui/wall-clock';
import { daysLater } from '../../ui/zoned-time';
import { loginPath } from '../auth/return-to';
import { useSession } from '../auth/session';
import { type EventChange, useSaveEvent } from '../events/shared/events.api';
import { SecurityCard } from '../profile/security-card';
import { secondFactorsQuery } from '../security/security.api';
import {
  emptyAsNull,
  refusedSettings,
  settingsErrors,
  settingsQuery,
  unlocked,
  useSaveSettings,
} from '../settings/settings.api';
import {
  ContactFields,
  IdentityFields,
  LegalFields,
  RegionFields,
  SponsorsFields,
} from '../settings/settings-fields';
import { setupQuery, useInviteOrganiser, useMakeOwner } from './setup.api';
import styles from './setup.module.css';

const STEPS = ['owner', 'community', 'region', 'event', 'organisers'] as const;
type Step = (typeof STEPS)[number];
const READY = 'ready';
const PROGRESS = 'setup';

const isStep = (value: string | null): value is Step | typeof READY =>
  value === READY || (STEPS as readonly (string | null)[]).includes(value);

/** Shows the setup in the browser's language (gateway/src/site/pages.ts), as the community has none yet. */
export default function SetupScreen() {
  const community = useCommunity();
  const locale = document.documentElement.lang || community.locale;
  return (
    <CommunityContext value={{ ...community, locale }}>
      <Setup />
    </CommunityContext>
  );
}

function Setup() {
  const { data: open, error, refetch } = useQuery(setupQuery);
  const { user } = useSession();
  const [token] = useState(() => window.location.hash.slice(1));
  const [step, setStep] = useState<Step | typeof READY>(() => {
    const noted = readPersisted(PROGRESS, inThisTab);
    return isStep(noted) ? noted : 'owner';
  });
  const go = (next: Step | typeof READY) => {
    persist(PROGRESS, next, inThisTab);
    window.history.replaceState(null, '', '/setup');
    setStep(next);
  };
  // until the first settings are saved, a signed-in admin can continue in another tab or browser
  const { data: settings, error: refused } = useQuery({
    ...settingsQuery,
    enabled: step === 'owner' && open === false && user?.isAdmin === true,
  });
  const resumes = settings?.version === 1 || hasCode(refused, 'SECOND_FACTOR_SETUP_REQUIRED');
  if (step === 'owner' && resumes) setStep('community');
  useTitle(open === false || token || step !== 'owner' ? text.title : text.closedTitle);
  if (error)
    return (
      <Frame>
        <ErrorState error={error} retry={() => void refetch()} />
      </Frame>
    );
  if (open === undefined) return <CentredSpinner />;
  if (user?.isAdmin && step !== 'owner')
    return (
      <Frame step={step}>
        <SecurityGate has={user.hasSecondFactor}>
          <OwnedSteps step={step} go={go} />
        </SecurityGate>
      </Frame>
    );
  if (!open)
    return (
      <Frame>
        <Heading>{text.doneAlready}</Heading>
        <p>{text.doneAlreadyHint}</p>
        {!user && <a href={loginPath('/setup')}>{text.signIn}</a>}
        <Link to="/">{text.home}</Link>
      </Frame>
    );
  if (!token)
    return (
      <Frame>
        <Heading>{text.closedTitle}</Heading>
        <p>{text.closed}</p>
        <p className={styles.soft}>{text.operator}</p>
      </Frame>
    );
  return (
    <Frame step="owner">
      <OwnerStep token={token} done={() => go('community')} />
    </Frame>
  );
}

function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}

function Frame({ step, children }: { step?: Step | typeof READY; children: ReactNode }) {
  const at = STEPS.indexOf(step as Step);
  return (
    <main className={styles.frame} id="content" tabIndex={-1}>
      {at >= 0 && (
        <ol className={styles.progress} aria-label={text.progress}>
          {STEPS.map((each, place) => (
            <li
              key={each}
              aria-current={place === at ? 'step' : undefined}
              data-done={place < at || undefined}
            >
              <span>{text.steps[each]}</span>
            </li>
          ))}
        </ol>
      )}
      <CardFrame>{children}</CardFrame>
    </main>
  );
}

function Heading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

const StepHead = ({ step }: { step: Step }) => (
  <header className={styles.head}>
    <p className={styles.soft}>
      {text.step({ step: STEPS.indexOf(step) + 1, count: STEPS.length, name: text.steps[step] })}
    </p>
    <Heading>{step === 'owner' ? text.title : text.steps[step]}</Heading>
    <p>{text.intros[step]}</p>
  </header>
);

interface StepFormProps extends ComponentProps<'form'> {
  step: Step;
  pending: boolean;
  refusal?: string | null;
  beside?: ReactNode;
  back?: () => void;
  label?: string;
}

const StepForm = ({ step, pending, refusal, beside, back, label, children, ...form }: StepFormProps) => (
  <form className={styles.form} noValidate {...form}>
    <StepHead step={step} />
    {children}
    {refusal && <Refusal>{refusal}</Refusal>}
    <div className={styles.buttons}>
      <ActionButton type="primary" htmlType="submit" size="large" inactive={pending}>
        {pending ? text.saving : (label ?? text.next)}
      </ActionButton>
      {beside}
      {back && <BackButton press={back} />}
    </div>
  </form>
);

const BackButton = ({ press }: { press: () => void }) => (
  <Button size="large" onClick={press}>
    {text.back}
  </Button>
);

const NOBODY = { firstName: '', lastName: '', email: '', password: '' };

function ownerErrors({ firstName, lastName, email, password }: typeof NOBODY): FieldErrors<typeof NOBODY> {
  const errors: FieldErrors<typeof NOBODY> = {};
  if (firstName.trim() === '') errors.firstName = text.required;
  if (lastName.trim() === '') errors.lastName = text.required;
  if (!looksLikeEmail(email)) errors.email = text.emailInvalid;
  if (password.length < LIMITS.ownerPasswordMin) errors.password = text.passwordTooShort;
  return errors;
}

function OwnerStep({ token, done }: { token: string; done: () => void }) {
  const making = useMakeOwner();
  const makeOnce = useOnce(making);
  const { form, errors, bind, refuse, submit } = useForm(NOBODY, ownerErrors);
  const send = submit(({ email, ...person }) =>
    makeOnce(
      { token, owner: { ...person, email: email.trim() } },
      {
        onSuccess: done,
        onError: (error) => {
          const fields = Object.entries(refusedFields(error)).filter(([name]) => name.startsWith('owner.'));
          refuse(Object.fromEntries(fields.map(([name, why]) => [name.slice('owner.'.length), why])));
          if (hasCode(error, 'EMAIL_EXISTS')) refuse({ email: serverMessage(error) ?? text.emailInvalid });
        },
      },
    ),
  );
  // errors that belong to no field, such as those for a truncated or outdated link, are shown here
  const refused = making.isError && Object.keys(errors).length === 0;
  return (
    <StepForm
      step="owner"
      ref={form}
      onSubmit={send}
      pending={making.isPending}
      refusal={refused ? (serverMessage(making.error) ?? whatToDo(making.error)) : null}
    >
      <div className={styles.pair}>
        <FirstNameField label={text.firstName} {...bind('firstName')} />
        <LastNameField label={text.lastName} {...bind('lastName')} />
      </div>
      <EmailField label={text.email} {...bind('email')} />
      <Field
        label={text.password}
        hint={<p>{text.passwordHint}</p>}
        type="password"
        autoComplete="new-password"
        maxLength={LIMITS.password}
        {...bind('password')}
      />
    </StepForm>
  );
}

/** Continues only when a button is pressed, so that the admin can read the recovery codes first. */
function SecurityGate({ has, children }: { has: boolean; children: ReactNode }) {
  const [passed, setPassed] = useState(has);
  const { data, error, refetch } = useQuery({ ...secondFactorsQuery, enabled: !passed });
  if (passed || data?.required === false) return children;
  if (error) return <ErrorState error={error} retry={() => void refetch()} />;
  if (!data) return <CardSkeleton />;
  return (
    <>
      <Heading>{text.title}</Heading>
      <p>{text.securityIntro}</p>
      <SecurityCard />
      <ActionButton type="primary" size="large" inactive={!has} onClick={() => setPassed(true)}>
        {text.next}
      </ActionButton>
    </>
  );
}

interface StepProps {
  go: (next: Step | typeof READY) => void;
}

function OwnedSteps({ step, go }: StepProps & { step: Step | typeof READY }) {
  const { data, error, refetch } = useQuery(settingsQuery);
  const [event, setEvent] = useState<EventPage>();
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />;
  if (!data) return <CardSkeleton />;
  switch (step) {
    case 'event':
      return event ? (
        <MadeStep event={event} go={go} />
      ) : (
        <EventStep
          back={() => go('region')}
          timeZone={data.settings.timeZone}
          done={(made) => {
            setEvent(made);
            go('organisers');
          }}
        />
      );
    case 'organisers':
      return <OrganisersStep go={go} />;
    case READY:
      return <Ready name={data.settings.name} event={event} />;
    default:
      return step === 'region' ? (
        <SettingsStep
          key="region"
          step="region"
          next="event"
          back={() => go('community')}
          present={data}
          go={go}
        />
      ) : (
        <SettingsStep key="community" step="community" next="region" present={data} go={go} />
      );
  }
}

const CURRENCIES: Record<string, string> = {
  ...{ AU: 'AUD', BR: 'BRL', CA: 'CAD', CH: 'CHF', CZ: 'CZK', DK: 'DKK', GB: 'GBP', IN: 'INR' },
  ...{ JP: 'JPY', MX: 'MXN', NO: 'NOK', NZ: 'NZD', PL: 'PLN', SE: 'SEK', US: 'USD', ZA: 'ZAR' },
};

function suggested({ settings, version }: Settings, email: string): CommunitySettings {
  if (version > 1) return settings;
  const timeZone = currentZoneName(browserZone());
  const [byDefault] = LOCALES;
  const isDefault = settings.locale === byDefault;
  const region = parseLocale(navigator.language)?.region;
  return {
    ...settings,
    supportEmail: email,
    copyrightYear: new Date().getFullYear(),
    ...(isDefault ? { locale: closestLocale(navigator.language), headline: text.headline } : {}),
    ...(settings.timeZone === 'UTC'
      ? { timeZone, currency: CURRENCIES[region ?? ''] ?? settings.currency }
      : {}),
  };
}

interface SettingsStepProps extends StepProps {
  step: 'community' | 'region';
  next: Step;
  back?: () => void;
  present: Settings;
}

function SettingsStep({ step, next, back, present, go }: SettingsStepProps) {
  const { user } = useSession();
  const saving = useSaveSettings();
  const saveOnce = useOnce(saving);
  const { form, fields, errors, change, refuse, submit } = useForm<CommunitySettings>(
    () => suggested(present, user?.email ?? present.settings.supportEmail),
    settingsErrors,
  );
  const { settings, locked } = present;
  const send = submit((typed) => {
    const changes = unlocked(changesSince(settings, emptyAsNull(typed)), locked);
    if (Object.keys(changes).length === 0) return go(next);
    saveOnce(changes, {
      onSuccess: () => go(next),
      onError: (error) => refuse(refusedSettings(error)),
    });
  });
  const props = { settings: fields, change, errors, locked };
  const refused = saving.isError && Object.keys(errors).length === 0;
  return (
    <StepForm
      step={step}
      ref={form}
      onSubmit={send}
      pending={saving.isPending}
      back={back}
      refusal={refused ? whatToDo(saving.error) : null}
    >
      {step === 'community' ? (
        <IdentityFields {...props} />
      ) : (
        <>
          <RegionFields {...props} />
          <details className={styles.more} open={Object.keys(errors).length > 0 || undefined}>
            <summary>{text.more}</summary>
            <div className={styles.form}>
              <ContactFields {...props} />
              <SponsorsFields {...props} />
              <LegalFields {...props} />
            </div>
          </details>
        </>
      )}
    </StepForm>
  );
}

const DRAFT = 'draft';
const AHEAD = 14;

interface FirstEvent {
  title: string;
  date: string;
  from: string;
  to: string;
  location: string;
}

interface EventStepProps {
  timeZone: string;
  back: () => void;
  done: (made?: EventPage) => void;
}

/** Shown instead of the form once the event exists, so that it isn't created twice. */
const MadeStep = ({ event, go }: StepProps & { event: EventPage }) => (
  <div className={styles.form}>
    <StepHead step="event" />
    <p>{text.made({ title: event.title })}</p>
    <div className={styles.buttons}>
      <Button type="primary" size="large" onClick={() => go('organisers')}>
        {text.next}
      </Button>
      <BackButton press={() => go('region')} />
    </div>
  </div>
);

function EventStep({ timeZone, back, done }: EventStepProps) {
  const saving = useSaveEvent();
  const saveOnce = useOnce(saving);
  const { form, errors, bind, refuse, submit } = useForm<FirstEvent>(
    () => ({
      title: '',
      date: daysLater(wallClock(new Date(), timeZone).date, AHEAD),
      from: '18:30',
      to: '20:30',
      location: '',
    }),
    ({ title, date, from, to }) => {
      const wrongDate = date === '' ? text.required : dateError(date);
      return {
        ...(title.trim() === '' && { title: text.required }),
        ...(wrongDate && { date: wrongDate }),
        ...(from === '' && { from: text.required }),
        ...(to <= from && { to: text.eventEnd }),
      };
    },
  );
  const save = (asDraft: boolean, { title, date, from, to, location }: FirstEvent) => {
    const first: EventChange = {
      title: title.trim(),
      startDate: toTimestamp(`${date}T${from}`, timeZone),
      endDate: toTimestamp(`${date}T${to}`, timeZone),
      location: location.trim() || null,
      status: asDraft ? 'draft' : 'published',
    };
    saveOnce(first, {
      onSuccess: done,
      onError: (error) => {
        const { startDate, endDate, ...fields } = refusedFields(error);
        refuse({ ...fields, ...(startDate && { date: startDate }), ...(endDate && { to: endDate }) });
      },
    });
  };
  const send = (event: FormEvent) => {
    const { submitter } = event.nativeEvent as SubmitEvent;
    submit((fields) => save(submitter instanceof HTMLButtonElement && submitter.value === DRAFT, fields))(
      event,
    );
  };
  const refused = saving.isError && Object.values(errors).every((error) => !error);
  return (
    <StepForm
      step="event"
      ref={form}
      onSubmit={send}
      pending={saving.isPending}
      label={text.publish}
      back={back}
      refusal={refused ? whatToDo(saving.error) : null}
      beside={
        <>
          <ActionButton size="large" htmlType="submit" inactive={saving.isPending} value={DRAFT}>
            {text.draft}
          </ActionButton>
          <Button size="large" type="text" onClick={() => done()}>
            {text.skip}
          </Button>
        </>
      }
    >
      <Field label={text.eventTitle} maxLength={LIMITS.title} {...bind('title')} />
      <div className={styles.pair}>
        <DateField label={text.eventDate} type="date" {...bind('date')} />
        <Field label={text.eventFrom} type="time" {...bind('from')} />
        <Field label={text.eventTo} type="time" {...bind('to')} />
      </div>
      <Field
        label={text.eventPlace}
        maxLength={LIMITS.location}
        hint={<p>{text.eventPlaceHint}</p>}
        {...bind('location')}
      />
    </StepForm>
  );
}

const OFFERED = [1, 2];

function OrganisersStep({ go }: StepProps) {
  return (
    <div className={styles.form}>
      <StepHead step="organisers" />
      {OFFERED.map((number) => (
        <ErrorBoundary key={number}>
          <OrganiserRow number={number} />
        </ErrorBoundary>
      ))}
      <div className={styles.buttons}>
        <Button type="primary" size="large" onClick={() => go(READY)}>
          {text.finish}
        </Button>
        <BackButton press={() => go('event')} />
      </div>
    </div>
  );
}

const NO_ORGANISER = { email: '', firstName: '', lastName: '' };

function OrganiserRow({ number }: { number: number }) {
  const inviting = useInviteOrganiser();
  const inviteOnce = useOnce(inviting);
  const { form, errors, bind, refuse, submit } = useForm(NO_ORGANISER, ({ email, firstName, lastName }) => ({
    ...(firstName.trim() === '' && { firstName: text.required }),
    ...(lastName.trim() === '' && { lastName: text.required }),
    ...(!looksLikeEmail(email) && { email: text.emailInvalid }),
  }));
  const send = submit((organiser) =>
    inviteOnce(
      { ...organiser, email: organiser.email.trim() },
      {
        onError: (error) =>
          refuse(
            hasCode(error, 'EMAIL_EXISTS')
              ? { email: serverMessage(error) ?? text.emailInvalid }
              : refusedFields(error),
          ),
      },
    ),
  );
  const refused = inviting.isError && Object.keys(errors).length === 0;
  return (
    <form ref={form} noValidate onSubmit={send}>
      <fieldset className={styles.person} disabled={inviting.isSuccess}>
        <legend>{text.organiser({ number })}</legend>
        <div className={styles.pair}>
          <FirstNameField label={text.firstName} {...bind('firstName')} autoComplete="off" />
          <LastNameField label={text.lastName} {...bind('lastName')} autoComplete="off" />
          <EmailField label={text.email} {...bind('email')} autoComplete="off" />
        </div>
        {refused && <Refusal>{whatToDo(inviting.error)}</Refusal>}
        {inviting.isSuccess ? (
          <p role="status">{text.invited}</p>
        ) : (
          <div>
            <ActionButton htmlType="submit" inactive={inviting.isPending}>
              {inviting.isPending ? text.inviting : text.invite}
            </ActionButton>
          </div>
        )}
      </fieldset>
    </form>
  );
}

/** The links reload the application, which then uses the new colour and language. */
const Ready = ({ name, event }: { name: string; event?: EventPage }) => (
  <div className={styles.form}>
    <Heading>{text.readyTitle({ name })}</Heading>
    <p>{text.ready}</p>
    <div className={styles.buttons}>
      <Button type="primary" size="large" href="/" onClick={() => persist(PROGRESS, null, inThisTab)}>
        {text.openSite}
      </Button>
      {event && (
        <Button size="large" href={`/events/${event.id}`}>
          {text.openEvent}
        </Button>
      )}
      <Button size="large" href="/admin/settings">
        {text.openSettings}
      </Button>
    </div>
  </div>
);

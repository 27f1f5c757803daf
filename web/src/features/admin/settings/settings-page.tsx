import type { CommunitySettings, Settings, SettingsVersion } from '@meetmark/contracts';
import { shortenText } from '@meetmark/contracts/cut-text';
import type { HelpPanel } from '@meetmark/contracts/handbook';
import { LEGAL_PAGES } from '@meetmark/contracts/community';
import { settingsText as text } from '@meetmark/i18n/texts/settings';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { type ReactNode, useRef, useState } from 'react';
import { ActionButton, useOnce } from '../../../ui/action-button';
import { Card } from '../../../ui/card';
import { changesSince, EditConflict, getEditConflict } from '../../../ui/edit-conflict';
import { Loaded, Refusal } from '../../../ui/feedback';
import { ScreenHeading, usePageTitle } from '../../../ui/screen-heading';
import { useToasts } from '../../../ui/toasts';
import { useForm } from '../../../ui/use-form';
import { useFormats } from '../../../ui/use-formats';
import { whatToDo } from '../../../ui/what-to-do';
import { HelpButton } from '../../help/help-button';
import { useMember } from '../../auth/session';
import { patternName } from '../../events/event-form/cover-field';
import { Earlier } from '../../events/event-form/form-drawer';
import { typedSettingsKey, useTypedFields } from '../../events/event-form/typed-fields';
import {
  emptyAsNull,
  refusedSettings,
  SETTINGS,
  settingsErrors,
  settingsQuery,
  settingsVersionsQuery,
  unlocked,
  useImportSettings,
  useSaveSettings,
} from '../../settings/settings.api';
import {
  ContactFields,
  EventsFields,
  IdentityFields,
  LegalFields,
  RegionFields,
  RetentionFields,
  rewritten,
  SecurityFields,
  SponsorsFields,
} from '../../settings/settings-fields';
import styles from '../../settings/settings.module.css';
import { translateName } from '../shared/former-member';

export function SettingsPage() {
  usePageTitle(text.title);
  const settings = useQuery(settingsQuery);
  const [base, setBase] = useState<Settings>();
  // keeps the version that the form started with, so that the server refuses to overwrite a newer version
  if (settings.data && !base) setBase(settings.data);
  return (
    <>
      <ScreenHeading title={text.title} intro={text.intro} />
      <Loaded query={{ ...settings, data: base }}>
        {(began) => (
          <div className={styles.sections}>
            <SettingsForm key={began.version} base={began} rebase={setBase} />
            <SettingsFileCard imported={setBase} />
            <History />
          </div>
        )}
      </Loaded>
    </>
  );
}

const getLegalUrls = (settings: CommunitySettings) =>
  Object.fromEntries(LEGAL_PAGES.map((page) => [page, settings[page]]));

function SettingsForm({ base, rebase }: { base: Settings; rebase: (saved: Settings) => void }) {
  const toasts = useToasts();
  const saving = useSaveSettings();
  const saveOnce = useOnce(saving);
  const { form, fields, errors, change, refuse, submit } = useForm<CommunitySettings>(
    base.settings,
    settingsErrors,
  );
  const { id: userId } = useMember();
  const typed = useTypedFields(typedSettingsKey(userId), getLegalUrls(base.settings), getLegalUrls(fields));
  const conflict = getEditConflict<Settings>(saving.error);
  const changes = () => unlocked(changesSince(base.settings, emptyAsNull(fields)), base.locked);
  const save = (version: number) =>
    saveOnce(
      { ...changes(), version },
      {
        onSuccess: (saved) => {
          toasts.success(text.saved, text.savedDetail);
          typed.forget();
          rebase(saved);
        },
        onError: (error) => refuse(refusedSettings(error)),
      },
    );
  const props = { settings: fields, change, errors, locked: base.locked };
  const isRefused = saving.isError && !conflict && Object.keys(errors).length === 0;
  return (
    <form
      ref={form}
      className={styles.stack}
      noValidate
      onSubmit={submit(() =>
        Object.keys(changes()).length === 0 ? toasts.success(text.unchanged) : save(base.version),
      )}
    >
      <SectionCard section="identity" help="look">
        <IdentityFields {...props} />
      </SectionCard>
      <SectionCard section="region" help="region">
        <RegionFields {...props} />
      </SectionCard>
      <SectionCard section="contact" help="contact">
        <ContactFields {...props} />
      </SectionCard>
      <SectionCard section="events" help="eventRules">
        <EventsFields {...props} />
      </SectionCard>
      <SectionCard section="security" help="adminSecurity">
        <SecurityFields {...props} />
      </SectionCard>
      <SectionCard section="sponsors" help="sponsors">
        <SponsorsFields {...props} />
      </SectionCard>
      <SectionCard section="legal" help="legalPages">
        <Earlier typed={typed} change={(restored) => change(rewritten(restored))} />
        <LegalFields {...props} />
      </SectionCard>
      <SectionCard section="retention" help="retention">
        <RetentionFields {...props} />
      </SectionCard>
      {conflict && (
        <EditConflict
          edits={conflict.edits}
          base={base.settings}
          mine={emptyAsNull(fields)}
          theirs={conflict.present.settings}
          fields={text.fields}
          show={(name, value) =>
            Array.isArray(value) || name === 'heroPattern' ? inWords(name, value) : undefined
          }
          saving={saving.isPending}
          saveMine={() => save(conflict.present.version)}
          takeTheirs={() => rebase(conflict.present)}
        />
      )}
      {isRefused && <Refusal>{whatToDo(saving.error)}</Refusal>}
      <div className={`${styles.buttons} ${styles.bar}`}>
        <ActionButton type="primary" htmlType="submit" size="large" inactive={saving.isPending}>
          {saving.isPending ? text.saving : text.save}
        </ActionButton>
      </div>
    </form>
  );
}

interface SectionCardProps {
  section: keyof typeof text.sections;
  help: HelpPanel;
  children: ReactNode;
}

const SectionCard = ({ section, help, children }: SectionCardProps) => (
  <Card title={text.sections[section]} help={<HelpButton panel={help} title={text.sections[section]} />}>
    {children}
  </Card>
);

function SettingsFileCard({ imported }: { imported: (saved: Settings) => void }) {
  const toasts = useToasts();
  const picker = useRef<HTMLInputElement>(null);
  const importing = useImportSettings();
  const importOnce = useOnce(importing);
  const take = async (file: File) => {
    const content = parsed(await file.text());
    if (content === undefined) return toasts.error(text.failed, text.notAFile);
    importOnce(content, {
      onSuccess: (saved) => {
        toasts.success(text.imported);
        imported(saved);
      },
      onError: (error) => toasts.error(text.failed, whatToDo(error)),
    });
  };
  return (
    <Card title={text.file}>
      <p className={styles.soft}>{text.fileHint}</p>
      <div className={styles.buttons}>
        <Button href={`${SETTINGS}/export`} download="settings.json">
          {text.export}
        </Button>
        <ActionButton inactive={importing.isPending} onClick={() => picker.current?.click()}>
          {text.import}
        </ActionButton>
        <input
          ref={picker}
          type="file"
          accept="application/json,.json"
          aria-label={text.import}
          tabIndex={-1}
          className="visually-hidden"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            target.value = '';
            if (file) void take(file);
          }}
        />
      </div>
    </Card>
  );
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

function History() {
  const versions = useQuery(settingsVersionsQuery);
  return (
    <Card title={text.history}>
      <Loaded query={versions}>{(all) => <Versions versions={all} />}</Loaded>
    </Card>
  );
}

function Versions({ versions }: { versions: SettingsVersion[] }) {
  const { dateTime } = useFormats();
  if (versions.length === 0) return <p className={styles.soft}>{text.historyEmpty}</p>;
  return (
    <ol className={styles.versions}>
      {versions.map(({ version, changedBy, changedAt, changes }) => (
        <li key={version}>
          <strong>{text.version({ version })}</strong>
          <span className={styles.soft}>
            {text.by({
              who: changedBy === null ? text.someone : translateName(changedBy),
              when: dateTime(changedAt),
            })}
          </span>
          <ul>
            {changes.map(({ name, before, after }) => (
              <li key={name}>
                <bdi>
                  {text.from({
                    name: text.fields[name],
                    before: inWords(name, before),
                    after: inWords(name, after),
                  })}
                </bdi>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

const SHOWN = 80;

function inWords(name: keyof CommunitySettings, value: unknown): string {
  if (name === 'heroPattern' && typeof value === 'number') return patternName(value);
  if (Array.isArray(value)) return text.entries({ count: value.length });
  if (typeof value === 'boolean') return value ? text.yes : text.no;
  return shortenText(value === null || value === '' ? text.none : String(value), SHOWN);
}

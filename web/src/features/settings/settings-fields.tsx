import type {
  BrandPalettes,
  CommunitySettings,
  PICTURE_SETTINGS,
  SettingName,
  Sponsor,
} from '@meetmark/contracts';
import { FONTS, fontStack, LEGAL_PAGES, type LegalPage } from '@meetmark/contracts/community';
import { RETENTION_SETTINGS } from '@meetmark/contracts/retention';
import { LIMITS } from '@meetmark/contracts/limits';
import { closestLocale, LOCALES, type ProductLocale } from '@meetmark/i18n/locales';
import { buildPalettes } from '@meetmark/contracts/palette';
import { settingsText as text } from '@meetmark/i18n/texts/settings';
import { currentZoneName, zoneNames } from '@meetmark/contracts/zone-names';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { Fragment, useId, useMemo, useRef } from 'react';
import { useCommunity } from '../../api/community';
import { toOptions } from '../../ui/choice';
import { keepDigits } from '../../ui/digits';
import { Field, Labelled } from '../../ui/field';
import field from '../../ui/field.module.css';
import { Refusal } from '../../ui/feedback';
import { PictureInput } from '../../ui/picture-input';
import { languageName } from '../../ui/language-select';
import { SelectField } from '../../ui/select-field';
import { bindTo } from '../../ui/use-form';
import { PatternChoice } from '../events/event-form/cover-field';
import { getPaymentNote } from '../events/shared/event';
import { MarkdownField } from '../editor/markdown-field';
import { toPaletteQuery, isColour, palettesQuery, type SettingsErrors } from './settings.api';
import styles from './settings.module.css';

const logo = text.pictures.logoUrl;

export interface SettingsFieldsProps {
  settings: CommunitySettings;
  change: (changed: Partial<CommunitySettings>) => void;
  errors: SettingsErrors;
  locked: SettingName[];
}

const HINTS: Partial<Record<SettingName, string>> = text.hints;

const about = (name: SettingName, { errors, locked }: SettingsFieldsProps) => {
  const disabled = locked.includes(name);
  const hint = disabled ? text.locked : HINTS[name];
  return {
    label: text.fields[name],
    error: errors[name],
    words: hint,
    hint: hint && <p>{hint}</p>,
    disabled,
  };
};

type PictureName = (typeof PICTURE_SETTINGS)[number];
type TextName =
  | ('name' | 'headline' | 'tagline' | 'supportEmail' | 'senderName' | 'linkedInUrl' | 'mapUrl')
  | ('timeZone' | 'locale' | 'currency' | 'paymentNoteDefault' | LegalPage);

const typed = (name: TextName, props: SettingsFieldsProps) => ({
  ...about(name, props),
  value: props.settings[name] ?? '',
  onChange: (value: string) => props.change({ [name]: value }),
});

export const IdentityFields = (props: SettingsFieldsProps) => (
  <>
    <Field maxLength={LIMITS.name} required {...typed('name', props)} />
    <Field maxLength={LIMITS.headline} {...typed('headline', props)} />
    <Field maxLength={LIMITS.tagline} {...typed('tagline', props)} />
    <div className="columns columns-widest">
      <LookFields {...props} />
      <div className={styles.stack}>
        <PictureField name="logoUrl" {...props} />
        <PictureField name="heroUrl" {...props} />
      </div>
    </div>
    <HeroPatternField {...props} />
    <Check name="signInButton" {...props} />
  </>
);

type ColourName = 'brandColour' | 'secondColour';

function ColourField({ name, ...props }: SettingsFieldsProps & { name: ColourName }) {
  const { settings, change } = props;
  const { error, ...words } = about(name, props);
  const { light, both } = useCommunity().brandPalettes;
  const colour = settings[name] ?? '';
  const shown = name === 'brandColour' ? light.fill : both.deepFirst;
  const set = (chosen: string) => change({ [name]: chosen });
  return (
    <Labelled {...words} error={error}>
      {(ties) => (
        <span className={styles.colour}>
          <input
            type="color"
            aria-label={text.pickers[name]}
            disabled={words.disabled}
            value={isColour(colour) ? colour : shown}
            onChange={({ target }) => set(target.value)}
          />
          <input
            {...ties}
            className={field.input}
            maxLength={7}
            spellCheck={false}
            disabled={words.disabled}
            value={colour}
            onChange={({ target }) => set(target.value)}
          />
        </span>
      )}
    </Labelled>
  );
}

const FONT_OPTIONS = [
  { value: '', label: text.ownFont },
  ...Object.entries(FONTS).map(([value, label]) => ({ value, label, lang: 'en' })),
];

function LookFields(props: SettingsFieldsProps) {
  const { settings, change } = props;
  const { name, font } = settings;
  const colours = toPaletteQuery(settings);
  const palettes = useQuery(palettesQuery(colours));
  return (
    <div className={styles.stack}>
      <ColourField name="brandColour" {...props} />
      <ColourField name="secondColour" {...props} />
      <SelectField
        {...about('font', props)}
        options={FONT_OPTIONS}
        value={font ?? ''}
        onChange={(chosen) => change({ font: (chosen || null) as CommunitySettings['font'] })}
      />
      <div className={styles.stack} style={font === null ? undefined : { fontFamily: fontStack(font) }}>
        {/* this style sheet declares every font, but browsers download only the font in use */}
        {font !== null && <link rel="stylesheet" href="/fonts.css" />}
        {font !== null && <p dir="auto">{settings.headline}</p>}
        {colours !== null && palettes.data && <PalettePreview palettes={palettes.data} name={name} />}
      </div>
    </div>
  );
}

const PalettePreview = ({ palettes, name }: { palettes: BrandPalettes; name: string }) => (
  <div className={styles.previews} role="group" aria-label={text.preview}>
    <strong
      className={styles.previewHero}
      style={{ background: palettes.both.deep, color: palettes.both.onDeep }}
      dir="auto"
    >
      {name}
      <span style={{ background: palettes.both.deepFirst }} />
    </strong>
    {(['light', 'dark'] as const).map((scheme) => {
      const { surface, line, inkSoft, primary, fill, onFill, accent, accentSoft } =
        buildPalettes(palettes)[scheme];
      return (
        <div key={scheme} className={styles.preview} style={{ background: surface, borderColor: line }}>
          <small style={{ color: inkSoft }}>{text.schemes[scheme]}</small>
          <span style={{ background: fill, color: onFill }}>{text.previewButton}</span>
          <span style={{ background: accentSoft, color: accent }}>{text.previewSoft}</span>
          <strong style={{ color: primary }}>{text.previewLink}</strong>
        </div>
      );
    })}
    {palettes.light.primary !== palettes.light.fill && (
      <p className={styles.soft}>{text.nearest({ colour: palettes.light.primary })}</p>
    )}
  </div>
);

function PictureField({ name, ...props }: SettingsFieldsProps & { name: PictureName }) {
  const { settings, change } = props;
  const picker = useRef<HTMLInputElement>(null);
  const { label, error, hint, disabled } = about(name, props);
  const words = text.pictures[name];
  const url = settings[name];
  const id = useId();
  return (
    <div className={styles.stack} role="group" aria-labelledby={id}>
      <p id={id} className={styles.label}>
        {label}
      </p>
      <PictureInput ref={picker} label={words.choose} choose={(chosen) => change({ [name]: chosen })} />
      <div className={styles.logo}>
        {url && <img src={url} alt="" height={46} />}
        {!disabled && (
          <Button onClick={() => picker.current?.click()}>{url ? words.change : words.choose}</Button>
        )}
        {!disabled && url && (
          <Button type="text" onClick={() => change({ [name]: null })}>
            {words.remove}
          </Button>
        )}
      </div>
      {error && <Refusal>{error}</Refusal>}
      <div className={styles.soft}>{hint}</div>
    </div>
  );
}

function HeroPatternField(props: SettingsFieldsProps) {
  const { settings, change, errors } = props;
  const { label, disabled } = about('heroPattern', props);
  const chosen = settings.heroUrl === null ? settings.heroPattern : null;
  return (
    <div className={styles.stack}>
      <PatternChoice
        title={label}
        chosen={chosen}
        choose={(heroPattern) => change({ heroPattern, heroUrl: null })}
        disabled={disabled}
      />
      {errors.heroPattern && <Refusal>{errors.heroPattern}</Refusal>}
      {disabled && <div className={styles.soft}>{text.locked}</div>}
    </div>
  );
}

function Check({
  name,
  settings,
  change,
  ...props
}: SettingsFieldsProps & {
  name:
    | ('memberProposals' | 'contactHost' | 'publicAttendees' | 'adminSecondFactorRequired' | 'signInButton')
    | `${LegalPage}Required`;
}) {
  const { disabled, words, label } = about(name, { settings, change, ...props });
  return (
    <label className={styles.check}>
      <input
        type="checkbox"
        disabled={disabled}
        checked={settings[name]}
        onChange={({ target }) => change({ [name]: target.checked })}
      />
      <span>
        {label}
        <span className={styles.soft}>{words}</span>
      </span>
    </label>
  );
}

interface Option {
  value: string;
  label: string;
}

/** Adds the current value to the options if the browser doesn't list it. */
const having = (options: Option[], value: string) =>
  options.some((option) => option.value === value) ? options : [{ value, label: value }, ...options];

export function RegionFields(props: SettingsFieldsProps) {
  const { settings, change } = props;
  const { locale: screen } = useCommunity();
  const timeZone = currentZoneName(settings.timeZone);
  const { zones, currencies, locales } = useMemo(() => regionOptions(screen), [screen]);
  return (
    <div className="columns columns-widest">
      <SelectField {...typed('timeZone', props)} value={timeZone} options={having(zones, timeZone)} />
      <SelectField {...typed('locale', props)} options={having(locales, settings.locale)} />
      <SelectField {...typed('currency', props)} options={having(currencies, settings.currency)} />
      <SelectField
        {...about('weekStart', props)}
        options={toOptions(text.weekStarts)}
        value={settings.weekStart}
        onChange={(weekStart) => change({ weekStart: weekStart as CommunitySettings['weekStart'] })}
      />
      <LanguagesField {...props} />
      <SelectField
        {...about('formOfAddress', props)}
        options={toOptions(text.formsOfAddress)}
        value={settings.formOfAddress}
        onChange={(form) => change({ formOfAddress: form as CommunitySettings['formOfAddress'] })}
      />
    </div>
  );
}

function LanguagesField(props: SettingsFieldsProps) {
  const { settings, change } = props;
  const { label, hint, disabled } = about('languages', props);
  const own = closestLocale(settings.locale);
  const offered = settings.languages ?? [...LOCALES];
  const set = (locale: ProductLocale, isOffered: boolean) => {
    const languages = LOCALES.filter((each) => (each === locale ? isOffered : offered.includes(each)));
    change({ languages: languages.length === LOCALES.length ? null : languages });
  };
  return (
    <fieldset className={styles.languages}>
      <legend className={styles.label}>{label}</legend>
      {LOCALES.map((locale) => (
        <label key={locale} className={styles.check}>
          <input
            type="checkbox"
            disabled={disabled || locale === own}
            checked={locale === own || offered.includes(locale)}
            onChange={({ target }) => set(locale, target.checked)}
          />
          <span lang={locale}>{languageName(locale)}</span>
        </label>
      ))}
      {hint}
    </fieldset>
  );
}

function regionOptions(screen: string): Record<'zones' | 'currencies' | 'locales', Option[]> {
  const currency = new Intl.DisplayNames(screen, { type: 'currency' });
  const named = (locale: string) => new Intl.DisplayNames(locale, { type: 'language' }).of(locale) ?? locale;
  return {
    zones: zoneNames().map((value) => ({
      value,
      label: value.replaceAll('_', ' '),
    })),
    currencies: Intl.supportedValuesOf('currency').map((value) => ({
      value,
      label: `${value} · ${currency.of(value) ?? value}`,
    })),
    locales: LOCALES.map((value) => ({ value, label: named(value) })),
  };
}

const YEAR_DIGITS = 4;

export const ContactFields = (props: SettingsFieldsProps) => (
  <div className="columns columns-widest">
    <Field type="email" maxLength={LIMITS.email} {...typed('supportEmail', props)} />
    <Field maxLength={LIMITS.name} {...typed('senderName', props)} />
    <Field type="url" maxLength={LIMITS.linkedInUrl} {...typed('linkedInUrl', props)} />
    <Field
      inputMode="numeric"
      {...about('copyrightYear', props)}
      value={String(props.settings.copyrightYear || '')}
      onChange={(year) => props.change({ copyrightYear: Number(keepDigits(year, YEAR_DIGITS)) })}
    />
  </div>
);

export const EventsFields = (props: SettingsFieldsProps) => (
  <>
    <Field
      maxLength={LIMITS.paymentNote}
      {...typed('paymentNoteDefault', props)}
      value={getPaymentNote({ paymentNote: null }, props.settings)}
    />
    <Check name="memberProposals" {...props} />
    <Check name="contactHost" {...props} />
    <Check name="publicAttendees" {...props} />
    <Field type="url" maxLength={LIMITS.url} {...typed('mapUrl', props)} />
  </>
);

export const SecurityFields = (props: SettingsFieldsProps) => (
  <Check name="adminSecondFactorRequired" {...props} />
);

/** Turns off the requirement for changed pages, so that correcting a typo asks nobody. */
export const rewritten = (changed: Partial<CommunitySettings>): Partial<CommunitySettings> => ({
  ...changed,
  ...Object.fromEntries(
    LEGAL_PAGES.filter((page) => page in changed).map((page) => [`${page}Required`, false]),
  ),
});

export const LegalFields = (props: SettingsFieldsProps) => (
  <>
    {LEGAL_PAGES.map((page) => (
      <Fragment key={page}>
        <MarkdownField
          heading="h3"
          maxLength={LIMITS.legalPage}
          {...typed(page, props)}
          onChange={(words) => props.change(rewritten({ [page]: words }))}
        />
        <Check name={`${page}Required`} {...props} />
      </Fragment>
    ))}
  </>
);

const DAYS_DIGITS = 4;

export const RetentionFields = (props: SettingsFieldsProps) => (
  <>
    <p className={styles.soft}>{text.retentionIntro}</p>
    <div className="columns columns-widest">
      {RETENTION_SETTINGS.map((name) => (
        <Field
          key={name}
          inputMode="numeric"
          {...about(name, props)}
          value={String(props.settings[name] ?? '')}
          onChange={(days) => props.change({ [name]: Number(keepDigits(days, DAYS_DIGITS)) || null })}
        />
      ))}
    </div>
  </>
);

export function SponsorsFields(props: SettingsFieldsProps) {
  const { settings, change } = props;
  const { sponsors } = settings;
  const { disabled, error, hint } = about('sponsors', props);
  return (
    <>
      {sponsors.length === 0 && <p className={styles.soft}>{text.noSponsors}</p>}
      {sponsors.map((sponsor, at) => (
        <SponsorRow
          key={at}
          number={at + 1}
          sponsor={sponsor}
          disabled={disabled}
          change={(changed) => change({ sponsors: sponsors.with(at, { ...sponsor, ...changed }) })}
          remove={() => change({ sponsors: sponsors.toSpliced(at, 1) })}
        />
      ))}
      {error && <Refusal>{error}</Refusal>}
      {disabled ? (
        <div className={styles.soft}>{hint}</div>
      ) : (
        sponsors.length < LIMITS.sponsors && (
          <div>
            <Button onClick={() => change({ sponsors: [...sponsors, { name: '', url: '', logoUrl: '' }] })}>
              {text.addSponsor}
            </Button>
          </div>
        )
      )}
    </>
  );
}

interface SponsorRowProps {
  number: number;
  sponsor: Sponsor;
  disabled: boolean;
  change: (changed: Partial<Sponsor>) => void;
  remove: () => void;
}

function SponsorRow({ number, sponsor, disabled, change, remove }: SponsorRowProps) {
  const bind = bindTo(sponsor, {}, change);
  const picker = useRef<HTMLInputElement>(null);
  return (
    <fieldset className={styles.sponsor}>
      <legend>{text.sponsor({ number })}</legend>
      <div className="columns columns-widest">
        <Field label={text.sponsorName} maxLength={LIMITS.title} disabled={disabled} {...bind('name')} />
        <Field
          label={text.sponsorUrl}
          type="url"
          maxLength={LIMITS.url}
          disabled={disabled}
          {...bind('url')}
        />
      </div>
      <PictureInput ref={picker} label={logo.choose} choose={(logoUrl) => change({ logoUrl })} />
      <div className={styles.logo}>
        {sponsor.logoUrl && <img src={sponsor.logoUrl} alt="" height={40} />}
        {!disabled && (
          <>
            <Button onClick={() => picker.current?.click()}>
              {sponsor.logoUrl ? logo.change : logo.choose}
            </Button>
            <Button type="text" danger onClick={remove}>
              {text.removeSponsor({ name: sponsor.name || text.sponsor({ number }) })}
            </Button>
          </>
        )}
      </div>
    </fieldset>
  );
}

import {
  COVER_SHAPES,
  type CoverCrop,
  type CoverShape,
  MAX_ZOOM,
  MIDDLE,
  computePart,
} from '@meetmark/contracts/events/cover-crop';
import { PATTERN, patternUrl } from '@meetmark/contracts/events/cover-pattern';
import { eventFormText as text } from '@meetmark/i18n/texts/event-form';
import { Button } from 'antd';
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react';
import { useCommunity } from '../../../api/community';
import { CameraIcon } from '../../../ui/more-icons';
import { PictureInput } from '../../../ui/picture-input';
import type { EventFormFields } from './event-fields';
import styles from './event-form.module.css';

const PATTERN_NAMES = Object.values(text.patterns);

export const patternName = (pattern: number) => PATTERN_NAMES[pattern - 1] ?? String(pattern);

type Cover = Pick<EventFormFields, 'bannerImageUrl' | 'coverPattern' | 'coverSquare' | 'coverWide'>;
const NOTHING: Cover = { bannerImageUrl: null, coverPattern: null, coverSquare: null, coverWide: null };

interface CoverFieldProps {
  fields: Cover;
  change: (changed: Partial<Cover>) => void;
}

export function BannerField({ fields, change }: CoverFieldProps) {
  const { bannerImageUrl: url, coverPattern } = fields;
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div className={styles.banner}>
      <p className={styles.label}>{text.banner}</p>
      <PictureInput
        ref={picker}
        label={text.banner}
        choose={(bannerImageUrl) => change({ ...NOTHING, bannerImageUrl })}
      />
      <div className={styles.choosing}>
        {url && <img src={url} alt="" height={44} className={styles.chosen} />}
        <Button icon={<CameraIcon size={18} />} onClick={() => picker.current?.click()}>
          {url ? text.changeBanner : text.chooseBanner}
        </Button>
        {(url ?? coverPattern) !== null && (
          <Button type="text" onClick={() => change(NOTHING)}>
            {text.removeBanner}
          </Button>
        )}
        {(url ?? coverPattern) === null && <p className={styles.soft}>{text.bannerHint}</p>}
      </div>
    </div>
  );
}

export function CoverField({ fields, change }: CoverFieldProps) {
  const { bannerImageUrl: url, coverPattern, coverSquare, coverWide } = fields;
  const hint = useId();
  return (
    <div className={styles.banner}>
      {url && (
        <>
          <div className={styles.crops}>
            <Crop
              shape="square"
              source={url}
              crop={coverSquare ?? MIDDLE}
              change={(coverSquare) => change({ coverSquare })}
              hint={hint}
            />
            <Crop
              shape="wide"
              source={url}
              crop={coverWide ?? MIDDLE}
              change={(coverWide) => change({ coverWide })}
              hint={hint}
            />
          </div>
          <p id={hint} className={styles.soft}>
            {text.cropHint}
          </p>
        </>
      )}
      <PatternChoice
        chosen={coverPattern}
        choose={(chosen) => change({ ...NOTHING, coverPattern: chosen })}
      />
    </div>
  );
}

interface PatternChoiceProps {
  chosen: number | null;
  choose: (pattern: number | null) => void;
  title?: string;
  disabled?: boolean;
}

export function PatternChoice({ chosen, choose, title = text.proposals, disabled }: PatternChoiceProps) {
  const { covers } = useCommunity().brandPalettes.both;
  return (
    <>
      <p className={styles.soft}>{title}</p>
      <div role="group" aria-label={title} className={styles.proposals}>
        {PATTERN_NAMES.map((name, index) => (
          <button
            key={name}
            type="button"
            className={styles.proposal}
            disabled={disabled}
            aria-label={name}
            aria-pressed={chosen === index + 1}
            onClick={() => choose(chosen === index + 1 ? null : index + 1)}
          >
            <img src={patternUrl(index + 1, covers)} alt="" width={PATTERN.width} height={PATTERN.height} />
          </button>
        ))}
      </div>
    </>
  );
}

const STEP = 0.05;
const KEYS: Record<string, [across: number, down: number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

const within = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000;

interface CropProps {
  shape: CoverShape;
  source: string;
  crop: CoverCrop;
  change: (crop: CoverCrop) => void;
  hint: string;
}

function Crop({ shape, source, crop, change, hint }: CropProps) {
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const [from, setFrom] = useState<{ left: number; top: number; crop: CoverCrop } | null>(null);
  const part = size && computePart(crop, COVER_SHAPES[shape], size);
  const name = text.crops[shape];

  const drag = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>) => {
    if (!from || !size || !part) return;
    const scale = part.width / currentTarget.clientWidth;
    const moved = (pixels: number, way: number) => (way > 0 ? (pixels * scale) / way : 0);
    change({
      ...crop,
      x: within(from.crop.x - moved(clientX - from.left, size.width - part.width)),
      y: within(from.crop.y - moved(clientY - from.top, size.height - part.height)),
    });
  };
  const press = (event: KeyboardEvent) => {
    const [across, down] = KEYS[event.key] ?? [];
    if (across === undefined || down === undefined) return;
    event.preventDefault();
    change({ ...crop, x: within(crop.x + across), y: within(crop.y + down) });
  };
  const percent = (of: number, whole: number) => `${(of / whole) * 100}%`;
  return (
    <div className={styles.crop} style={{ '--shape': COVER_SHAPES[shape] } as CSSProperties}>
      <p aria-hidden="true">{name}</p>
      <div
        role="group"
        tabIndex={0}
        aria-label={name}
        aria-describedby={hint}
        className={styles.frame}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setFrom({ left: event.clientX, top: event.clientY, crop });
        }}
        onPointerMove={drag}
        onPointerUp={() => setFrom(null)}
        onPointerCancel={() => setFrom(null)}
        onKeyDown={press}
      >
        <img
          src={source}
          alt=""
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
            setSize({ width, height })
          }
          style={
            part && size
              ? {
                  width: percent(size.width, part.width),
                  height: percent(size.height, part.height),
                  left: percent(-part.x, part.width),
                  top: percent(-part.y, part.height),
                }
              : undefined
          }
        />
      </div>
      <label className={styles.zoom}>
        <span>{text.zoom}</span>
        <input
          type="range"
          aria-label={text.zoomOf({ part: name })}
          min={1}
          max={MAX_ZOOM}
          step={0.05}
          value={crop.zoom}
          onChange={({ target }) => change({ ...crop, zoom: Number(target.value) })}
        />
      </label>
    </div>
  );
}

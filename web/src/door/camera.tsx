import { doorText as text } from '@meetmark/i18n/texts/door';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { CameraIcon } from '../ui/more-icons';
import styles from './door.module.css';

const LOOK_EVERY = 120;
/** Milliseconds that a code must be out of view before it counts as a new scan. */
const SAME_CODE = 4_000;
/**
 * Longest side of the image in pixels. At this size, a code is readable if it fills a third of the image.
 * Larger images take longer to read.
 */
const LARGEST = 800;

type Read = (video: HTMLVideoElement) => Promise<string | null>;

interface Detector {
  detect: (source: HTMLVideoElement) => Promise<{ rawValue: string }[]>;
}
interface DetectorClass {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats: () => Promise<string[]>;
}

async function reader(): Promise<Read> {
  const Native = (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector;
  const formats = await Native?.getSupportedFormats().catch((): string[] => []);
  if (Native && formats?.includes('qr_code')) {
    const detector = new Native({ formats: ['qr_code'] });
    return async (video) => (await detector.detect(video))[0]?.rawValue ?? null;
  }
  const { default: decodeQR } = await import('qr/decode.js');
  const canvas = document.createElement('canvas');
  return (video) => {
    const context = canvas.getContext('2d', { willReadFrequently: true });
    const { videoWidth, videoHeight } = video;
    const scale = Math.min(1, LARGEST / Math.max(videoWidth, videoHeight));
    const [width, height] = [Math.floor(videoWidth * scale), Math.floor(videoHeight * scale)];
    if (!context || width === 0 || height === 0) return Promise.resolve(null);
    canvas.width = width;
    canvas.height = height;
    context.drawImage(video, 0, 0, width, height);
    try {
      return Promise.resolve(decodeQR(context.getImageData(0, 0, width, height)));
    } catch {
      return Promise.resolve(null);
    }
  };
}

let reading: Promise<Read> | undefined;
const theReader = () =>
  (reading ??= reader().catch((error: unknown) => {
    reading = undefined;
    throw error;
  }));
// loads the reader early, because the network may be gone later; the camera retries and reports failures
theReader().catch(() => undefined);

type Failure = keyof typeof text.cameraFailed;

export function Camera({ onCode }: { onCode: (text: string) => void }) {
  const [on, setOn] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  return (
    <section className={styles.camera} aria-label={text.startCamera}>
      {on && (
        <Picture
          onCode={onCode}
          failed={(why) => {
            setFailure(why);
            setOn(false);
          }}
        />
      )}
      <p role="status" className={failure ? styles.cameraFailed : undefined}>
        {failure ? text.cameraFailed[failure] : on ? text.cameraHint : ''}
      </p>
      <button
        type="button"
        className={on ? styles.secondary : styles.primary}
        onClick={() => {
          setFailure(null);
          setOn(!on);
        }}
      >
        <CameraIcon size={22} /> {on ? text.stopCamera : text.startCamera}
      </button>
    </section>
  );
}

function Picture({ onCode, failed }: { onCode: (text: string) => void; failed: (why: Failure) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const found = useEffectEvent(onCode);
  const fail = useEffectEvent(failed);
  useEffect(() => {
    const shown = video.current;
    let over = false;
    let stream: MediaStream | undefined;
    let last = { code: '', at: 0 };
    const watch = async () => {
      try {
        stream = await navigator.mediaDevices.getUserMedia({
          video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
        });
      } catch (error) {
        const refused = error instanceof DOMException && error.name === 'NotAllowedError';
        return void (over || fail(refused ? 'refused' : 'missing'));
      }
      if (over || !shown) return stop();
      stream.getVideoTracks()[0]?.addEventListener('ended', () => over || fail('missing'));
      shown.srcObject = stream;
      await shown.play().catch(() => undefined);
      const read = await theReader().catch(() => null);
      if (!read) return void (over || fail('missing'));
      while (!over) {
        const code = await read(shown).catch(() => null);
        if (code !== null && !over) {
          const now = performance.now();
          if (code !== last.code || now - last.at > SAME_CODE) found(code);
          last = { code, at: now };
        }
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
      }
    };
    const stop = () => stream?.getTracks().forEach((track) => track.stop());
    // browsers offer `mediaDevices` only on HTTPS pages
    if ('mediaDevices' in navigator) void watch();
    else fail('missing');
    return () => {
      over = true;
      stop();
    };
  }, []);
  return <video ref={video} className={styles.video} aria-label={text.cameraView} playsInline muted />;
}

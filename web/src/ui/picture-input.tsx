import { PICTURES } from '@meetmark/contracts/limits';
import { commonText } from '@meetmark/i18n/texts/common';
import { pictureText } from '@meetmark/i18n/texts/profile';
import type { Ref } from 'react';
import { useToasts } from './toasts';

interface PictureInputProps {
  label: string;
  ref: Ref<HTMLInputElement>;
}

interface OnePicture extends PictureInputProps {
  choose: (dataUrl: string) => void;
}

interface SeveralPictures extends PictureInputProps {
  multiple: true;
  take: (files: File[]) => void;
}

export function usePictureFiles(choose: (dataUrl: string) => void): (files: File[]) => Promise<void> {
  const toasts = useToasts();
  return async (files) => {
    for (const file of files)
      try {
        choose(await readPicture(file));
      } catch (error) {
        if (!(error instanceof PictureFileError)) throw error;
        toasts.error(commonText.error, error.message);
      }
  };
}

export function PictureInput(props: OnePicture | SeveralPictures) {
  const { label, ref } = props;
  const several = 'multiple' in props;
  const read = usePictureFiles((dataUrl) => several || props.choose(dataUrl));
  return (
    <input
      ref={ref}
      type="file"
      accept="image/*"
      multiple={several}
      aria-label={label}
      tabIndex={-1}
      className="visually-hidden"
      onChange={({ target }) => {
        const files = [...(target.files ?? [])];
        // allows choosing the same file again after its removal
        target.value = '';
        if (several) props.take(files);
        else void read(files);
      }}
    />
  );
}

const MEGABYTE = 1024 * 1024;
const QUALITY = 0.9;

class PictureFileError extends Error {}

async function readPicture(file: File): Promise<string> {
  if (!file.type.startsWith('image/')) throw new PictureFileError(pictureText.notAnImage);
  const picture = (await madeSmaller(file)) ?? file;
  if (picture.size > PICTURES.maxBytes)
    throw new PictureFileError(pictureText.tooLarge({ megabytes: PICTURES.maxBytes / MEGABYTE }));
  return toDataUrl(picture);
}

const toDataUrl = (picture: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new PictureFileError(pictureText.unreadable, { cause: reader.error }));
    reader.readAsDataURL(picture);
  });

async function loaded(address: string): Promise<HTMLImageElement | null> {
  const image = new Image();
  image.src = address;
  return (await isShown(image)) ? image : null;
}

/** Returns null if the image is small enough, or if the browser can't decode it. */
async function madeSmaller(file: File): Promise<Blob | null> {
  const address = URL.createObjectURL(file);
  try {
    const image = await loaded(address);
    if (image === null) return null;
    const { naturalWidth: width, naturalHeight: height } = image;
    const scale = Math.min(
      1,
      PICTURES.bannerWidth / width,
      Math.sqrt(PICTURES.maxPixelsAtOnce / (width * height)),
    );
    if (scale === 1 && file.size <= PICTURES.maxBytes) return null;
    return await drawn(
      image,
      Math.max(1, Math.floor(width * scale)),
      Math.max(1, Math.floor(height * scale)),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}

const isShown = (image: HTMLImageElement) =>
  image.decode().then(
    () => true,
    () => false,
  );

function toCanvas(image: HTMLImageElement, width: number, height: number): HTMLCanvasElement | null {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  if (context === null) return null;
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, width, height);
  return canvas;
}

/** Browsers that can't create WebP return PNG. If the PNG is too large, it is replaced by a JPEG. */
async function drawn(image: HTMLImageElement, width: number, height: number): Promise<Blob | null> {
  const canvas = toCanvas(image, width, height);
  if (canvas === null) return null;
  const written = (type: string) =>
    new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, QUALITY));
  const webp = await written('image/webp');
  return webp === null || webp.type === 'image/webp' || webp.size <= PICTURES.maxBytes
    ? webp
    : written('image/jpeg');
}

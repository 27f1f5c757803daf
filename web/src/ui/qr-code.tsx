import { encode } from 'uqr';

interface QrCodeProps {
  text: string;
  label: string;
  className?: string;
}

/** Margin that the QR standard requires, in modules. */
const QUIET = 4;

const toQrCode = (text: string) => encode(text, { ecc: 'M', border: QUIET });

const toPath = ({ data }: ReturnType<typeof toQrCode>) =>
  data.flatMap((row, y) => row.map((on, x) => (on ? `M${x} ${y}h1v1h-1z` : ''))).join('');

export function qrSvg(text: string): Blob {
  const code = toQrCode(text);
  const box = `viewBox="0 0 ${code.size} ${code.size}" shape-rendering="crispEdges"`;
  return new Blob(
    [
      `<svg xmlns="http://www.w3.org/2000/svg" width="1024" height="1024" ${box}>`,
      `<rect width="100%" height="100%" fill="#fff"/><path d="${toPath(code)}"/></svg>\n`,
    ],
    { type: 'image/svg+xml' },
  );
}

/** Minimum width in pixels. Each module has a whole number of pixels, which keeps its edges sharp. */
const PNG_WIDTH = 1024;

export function qrPng(text: string): Promise<Blob> {
  const { data, size } = toQrCode(text);
  const scale = Math.ceil(PNG_WIDTH / size);
  const canvas = Object.assign(document.createElement('canvas'), {
    width: size * scale,
    height: size * scale,
  });
  const pen = canvas.getContext('2d')!;
  for (const [y, row] of data.entries())
    for (const [x, on] of row.entries()) {
      pen.fillStyle = on ? '#000' : '#fff';
      pen.fillRect(x * scale, y * scale, scale, scale);
    }
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (file) => (file ? resolve(file) : reject(new Error('the browser makes no PNG'))),
      'image/png',
    ),
  );
}

/** Dark on white in every theme, because many scanners can't read inverted codes. Load this file lazily. */
export function QrCode({ text, label, className }: QrCodeProps) {
  const code = toQrCode(text);
  return (
    <svg
      className={className}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${code.size} ${code.size}`}
      shapeRendering="crispEdges"
    >
      <rect width={code.size} height={code.size} fill="#fff" />
      <path d={toPath(code)} fill="#000" />
    </svg>
  );
}

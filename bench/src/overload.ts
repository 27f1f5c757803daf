import { loginFlood, overload as threefold } from './faults/catalogue/overload.js';
import { Rig } from './faults/rig.js';
import { tryFault, type Verdict } from './faults/trial.js';
import { warmUp } from './faults/warm-up.js';
import { milliseconds, rate, type Effort, type Row } from './support/results.js';

/** Measures two faults of `npm run faults`: too many registrations, and too many sign-ins. */
export async function overload({ quick }: Effort): Promise<Row[]> {
  const rig = await Rig.start();
  try {
    await warmUp(rig);
    const manner = { thorough: !quick, patient: false };
    return [
      overloadRow(await tryFault(rig, threefold, manner)),
      floodRow(await tryFault(rig, loginFlood, manner)),
    ];
  } finally {
    await rig.stop();
  }
}

function overloadRow({ figures, broken, recovery, fault }: Verdict): Row {
  const { peak = NaN, offered = NaN, goodput = NaN, refusals = NaN } = figures;
  const refused = Number.isNaN(refusals) ? 'none refused' : `refused in ${milliseconds(refusals)} (p95)`;
  return {
    path: fault.title,
    ours: `${rate(peak * goodput)} of ${rate(offered)}, ${refused}, normal after ${recovery ?? '∞'} ms`,
    beside: `its peak: ${rate(peak)}`,
    ratio: goodput.toFixed(2),
    goal: '≥ 0.8, refusals < 100 ms, normal within 5 s',
    met: broken.length === 0,
  };
}

function floodRow({ figures, broken, fault }: Verdict): Row {
  const { before = NaN, during = NaN, 'sign-ins': signIns = NaN } = figures;
  return {
    path: fault.title,
    ours: `other calls p95 ${milliseconds(during)} while ${rate(signIns)} came`,
    beside: `without it: ${milliseconds(before)}`,
    ratio: (during / before).toFixed(2),
    goal: 'p95 ≤ 4 times',
    met: broken.length === 0,
  };
}

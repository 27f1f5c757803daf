import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { anyFreePort, until } from '@meetmark/testing';
import puppeteer from 'puppeteer-core';
import { Builder, By, Capabilities } from 'selenium-webdriver';

type Engine = 'Chromium' | 'Firefox' | 'WebKit';

export interface FoundBrowser {
  engine: Engine;
  program: string;
}

export interface Tab {
  open(url: string): Promise<void>;
  address(): Promise<string>;
  run<Result>(inPage: (...parameters: string[]) => Result, ...parameters: string[]): Promise<Result>;
  click(path: string): Promise<void>;
  type(path: string, text: string): Promise<void>;
  close(): Promise<void>;
}

const WIDTH = 1_440;
const HEIGHT = 900;
const START_MS = 30_000;

export const openTab = ({ engine, program }: FoundBrowser): Promise<Tab> =>
  engine === 'WebKit' ? openWebKit(program) : openByPuppeteer(engine, program);

async function openByPuppeteer(engine: 'Chromium' | 'Firefox', program: string): Promise<Tab> {
  const browser = await puppeteer.launch({
    browser: engine === 'Chromium' ? 'chrome' : 'firefox',
    executablePath: program,
    // Chromium refuses to run its sandbox as root
    args: engine === 'Chromium' && process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    defaultViewport: { width: WIDTH, height: HEIGHT },
  });
  const page = await browser.newPage();
  const find = async (path: string) => {
    const element = await page.$(`xpath/${path}`);
    if (element === null) throw new Error(`there is no ${path}`);
    return element;
  };
  return {
    open: async (url) => void (await page.goto(url)),
    address: () => Promise.resolve(page.url()),
    run: async (inPage, ...parameters) => page.evaluate(inPage, ...parameters) as Promise<never>,
    click: async (path) => (await find(path)).click(),
    type: async (path, text) => (await find(path)).type(text),
    close: () => browser.close(),
  };
}

async function openWebKit(program: string): Promise<Tab> {
  const leavings: (() => unknown)[] = [];
  const leave = async () => {
    for (const undo of leavings.splice(0).reverse()) await undo();
  };
  try {
    const environment = { ...process.env, ...(await openScreen(leavings)) };
    const port = await anyFreePort();
    const server = `http://127.0.0.1:${port}`;
    const service = spawn(program, [`--port=${port}`], { env: environment, stdio: 'ignore' });
    leavings.push(() => service.kill());
    await until('WebKitWebDriver', START_MS, async () => (await fetch(`${server}/status`)).ok);
    const driver = await new Builder()
      .disableEnvironmentOverrides()
      .usingServer(server)
      .withCapabilities(new Capabilities({ browserName: 'MiniBrowser' }))
      .build();
    leavings.push(() => driver.quit());
    await driver.manage().window().setRect({ width: WIDTH, height: HEIGHT });
    const find = (path: string) => driver.findElement(By.xpath(path));
    return {
      open: (url) => driver.get(url),
      address: () => driver.getCurrentUrl(),
      run: (inPage, ...parameters) => driver.executeScript(inPage, ...parameters),
      click: (path) => find(path).click(),
      type: (path, text) => find(path).sendKeys(text),
      close: leave,
    };
  } catch (error) {
    await leave();
    throw error;
  }
}

/** Starts a virtual display if there is none, because WebKit has no headless mode. */
async function openScreen(leavings: (() => unknown)[]): Promise<Record<string, string>> {
  if (process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']) return {};
  const screen = spawn(
    'Xvfb',
    ['-displayfd', '3', '-screen', '0', `${WIDTH}x${HEIGHT}x24`, '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  );
  leavings.push(() => screen.kill());
  const [number] = (await once(screen.stdio[3]!, 'data')) as [Buffer];
  return { DISPLAY: `:${number.toString().trim()}` };
}

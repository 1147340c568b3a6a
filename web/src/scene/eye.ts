// SPDX-License-Identifier: Apache-2.0
// What the chosen machine's camera sees, in a corner of the view. Subscribed only while it is shown.
import { imageFromCdr, packedImageFromCdr, rgbaFrom } from '../cdr';
import type { Link } from '../link';
import type { Store } from '../store';
import { sceneOf } from '../store';

const staleAfter = 2; // s without a picture

export function openEye(host: HTMLElement, store: Store, link: Link): void {
  const figure = document.createElement('figure');
  figure.className = 'view-eye';
  figure.hidden = true;
  const canvas = document.createElement('canvas');
  canvas.width = 320;
  canvas.height = 240;
  canvas.setAttribute('role', 'img');
  const caption = document.createElement('figcaption');
  figure.append(canvas, caption);
  host.append(figure);

  let topic = '';
  let end = () => {};
  let busy = false; // a picture is being decoded: the next ones are left out
  let seen = 0; // ms, the page's clock: the newest picture, or since when one is waited for
  let any = false;

  // A picture that stands still looks like one that is live: its age stands on it.
  const tell = () => {
    const age = Math.floor((performance.now() - seen) / 1000);
    const fresh = any && age < staleAfter;
    figure.dataset.fresh = String(fresh);
    const words = fresh ? 'camera' : any ? `camera, ${age} s old` : 'no picture yet';
    const text = `${store.chosen.value}: ${words}`;
    if (caption.textContent === text) return;
    caption.textContent = text;
    canvas.setAttribute('aria-label', fresh ? `What the camera of ${store.chosen.value} sees, live` : text);
  };
  setInterval(() => topic && tell(), 500);

  const draw = (source: CanvasImageSource | ImageData, width: number, height: number) => {
    if (canvas.width !== width || canvas.height !== height) (canvas.width = width), (canvas.height = height);
    const context = canvas.getContext('2d');
    if (source instanceof ImageData) context?.putImageData(source, 0, 0);
    else context?.drawImage(source, 0, 0);
    seen = performance.now();
    any = true;
    tell();
  };

  const receive = (payload: Uint8Array, schema: string) => {
    if (busy || document.hidden) return;
    if (!schema.includes('Compressed')) {
      const image = imageFromCdr(payload);
      if (image) draw(new ImageData(rgbaFrom(image), image.width, image.height), image.width, image.height);
      return;
    }
    const packed = packedImageFromCdr(payload);
    if (!packed) return;
    busy = true;
    const type = packed.format.includes('png') ? 'image/png' : 'image/jpeg';
    createImageBitmap(new Blob([packed.data.slice()], { type }))
      .then((bitmap) => draw(bitmap, bitmap.width, bitmap.height))
      .catch(() => undefined) // a broken picture is left out; the next one comes
      .finally(() => (busy = false));
  };

  const update = () => {
    const name = store.chosen.value;
    const wanted = (store.view.value.camera && sceneOf(store, name)?.scene.camera_topic) || '';
    if (wanted === topic) return;
    topic = wanted;
    end();
    figure.hidden = !wanted;
    canvas.getContext('2d')?.clearRect(0, 0, canvas.width, canvas.height); // what another one saw
    seen = performance.now();
    any = false;
    tell();
    end = wanted ? link.subscribe(wanted, (payload, _, channel) => receive(payload, channel.schemaName)) : () => {};
  };
  store.chosen.on(update);
  store.view.on(update);
  store.scenes.on(update, true);
}

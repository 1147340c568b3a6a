// SPDX-License-Identifier: Apache-2.0
// The renderer with its lights and ground.
import { BasicShadowMap, Color, DirectionalLight, HemisphereLight, PCFSoftShadowMap, Scene, Vector2, Vector3, WebGLRenderer, type PerspectiveCamera } from 'three';
import type { Palette } from './colours';
import type { Flight } from './flight';
import { Ground } from './ground';

export class Painter {
  readonly scene = new Scene();
  readonly screen = new Vector2(1, 1); // px of the drawing; shared with what draws widths in pixels
  readonly canvas: HTMLCanvasElement;
  width = 1; // CSS px
  height = 1;
  private renderer: WebGLRenderer;
  private ground: Ground;
  private sun = new DirectionalLight(0xffffff, 2.4);
  private fill = new DirectionalLight(0xffffff, 0.7);
  private sky = new HemisphereLight(0xffffff, 0x808080, 1.4);
  private density = Math.min(window.devicePixelRatio || 1, 2);
  private shadowReach = 0;
  private shadowEvery: number; // frames
  private drawn = 0;

  constructor(
    private host: HTMLElement,
    palette: Palette,
    fine: boolean, // as good as it gets, however long it takes
  ) {
    const slow = !fine && drawsInSoftware();
    if (slow) this.density = Math.min(this.density, 1);
    this.renderer = new WebGLRenderer({ antialias: !slow, alpha: true, powerPreference: 'low-power' });
    this.canvas = this.renderer.domElement;
    this.canvas.className = 'view-canvas';
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'application');
    this.canvas.setAttribute(
      'aria-label',
      '3D view of all machines. Arrow keys turn it, with Shift they move it, plus and minus zoom, Home fits.',
    );
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.autoUpdate = false;
    this.shadowEvery = slow ? 4 : 1;
    this.renderer.shadowMap.type = slow ? BasicShadowMap : PCFSoftShadowMap;
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.setScalar(slow ? 1024 : 2048);
    this.sun.shadow.radius = 4;
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.normalBias = 0.02;
    this.ground = new Ground(palette);
    this.scene.add(this.sun, this.sun.target, this.fill, this.sky, this.ground.group);
    this.fill.position.set(-4, 6, 3);
    host.prepend(this.canvas);
    this.paint(palette);
  }

  paint(palette: Palette): void {
    this.ground.paint(palette);
    this.sun.intensity = palette.dark ? 2.3 : 2.2;
    this.sky.intensity = palette.dark ? 1.25 : 1.9;
    this.sky.groundColor = new Color(palette.dark ? '#39424f' : '#b9c2ce');
    this.sky.color = new Color(palette.dark ? '#dbe6f5' : '#ffffff');
  }

  // The grid and the shadows go where one looks.
  spread({ controls: { target }, camera }: Flight, radius: number): void {
    const far = camera.position.distanceTo(target);
    // In steps, so that the shadows' edges do not crawl while the camera glides.
    const wanted = Math.min(radius * 1.1, far * 0.8);
    if (wanted > this.shadowReach || wanted < 0.6 * this.shadowReach) {
      this.shadowReach = Math.max(1.15 * wanted, 0.5);
      const { camera: box } = this.sun.shadow;
      box.left = box.bottom = -this.shadowReach;
      box.right = box.top = this.shadowReach;
      box.near = 0.1;
      box.far = 6 * this.shadowReach;
      box.updateProjectionMatrix();
      this.sun.shadow.normalBias = this.shadowReach / (this.shadowEvery > 1 ? 150 : 500);
    }
    this.ground.spread(spot.set(target.x, target.y, 0), Math.max(radius, 0.6 * far), this.shadowReach);
    const step = this.shadowReach / 64;
    this.sun.target.position.set(Math.round(target.x / step) * step, Math.round(target.y / step) * step, 0);
    this.sun.position.copy(this.sun.target.position).addScaledVector(sunward, 3 * this.shadowReach);
  }

  draw(camera: PerspectiveCamera): void {
    // Shadows lag a little where they are dear.
    this.renderer.shadowMap.needsUpdate = this.drawn++ % this.shadowEvery === 0;
    this.renderer.render(this.scene, camera);
  }

  // False: no room, or as before.
  resize(camera: PerspectiveCamera): boolean {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0 || (width === this.width && height === this.height)) return false;
    this.width = width;
    this.height = height;
    this.renderer.setPixelRatio(this.density);
    this.renderer.setSize(width, height, false);
    this.renderer.getDrawingBufferSize(this.screen);
    this.screen.divideScalar(this.density);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    return true;
  }

  // Less to draw for a slow computer, one step at a time. False: nothing is left to leave out.
  cheaper(): boolean {
    if (this.density > 1) this.density = 1;
    else if (this.sun.shadow.mapSize.x > 1024) {
      this.sun.shadow.mapSize.set(1024, 1024);
      this.sun.shadow.map?.dispose();
      this.sun.shadow.map = null;
    } else if (this.sun.castShadow) this.sun.castShadow = false;
    else if (this.density > 0.6) this.density = 0.6;
    else return false;
    this.renderer.setPixelRatio(this.density);
    this.renderer.setSize(this.width, this.height, false);
    return true;
  }

  // A graphics context that was lost mostly comes back by itself; what is on the screen does not. Until then it is said.
  whenBack(drawn: () => void): void {
    const gone = document.createElement('p');
    gone.className = 'view-gone';
    gone.setAttribute('role', 'status');
    this.host.append(gone);
    const tell = (text: string) => (gone.textContent = text);
    this.canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      tell('WebGL has failed: nothing is drawn. Everything else works; if it does not recover, reload the page.');
    });
    this.canvas.addEventListener('webglcontextrestored', () => {
      tell('');
      drawn();
    });
  }
}

// Without a graphics card every pixel is paid for by the processor: no smoothed edges, coarser shadows from the start.
function drawsInSoftware(): boolean {
  const context = document.createElement('canvas').getContext('webgl2');
  const names = context?.getExtension('WEBGL_debug_renderer_info');
  const name = names ? String(context?.getParameter(names.UNMASKED_RENDERER_WEBGL)) : '';
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|softpipe|basic render/i.test(name);
}

const sunward = new Vector3(0.45, -0.5, 0.85).normalize();
const spot = new Vector3();

#include "cli/stability.h"

#include "cli/host.h"
#include "cli/report.h"
#include "cli/suggest.h"
#include "cli/verbs.h"

#include <string.h>

static const cli_argument arguments[] = {
    {"SYSTEM", "belt, stribeck, mode-coupling, sprag-slip, impact-oscillator, follower or creep",
     offsetof(cli_stability_options, system)},
};

static const cli_option options[] = {
    {.name = "set",
     .kind = CLI_LIST,
     .offset = offsetof(cli_stability_options, settings),
     .value = "NAME=VALUE",
     .text = "change a parameter; scree scenes SYSTEM lists them with their units"},
    {.name = "simulate",
     .kind = CLI_INTEGER,
     .offset = offsetof(cli_stability_options, simulate),
     .value = "N",
     .text = "simulate at N values of the parameter that decides; 0: none",
     .usual = "belt 0, others 5",
     .least = 0,
     .most = 10000},
    {.name = "pair",
     .kind = CLI_REAL,
     .offset = offsetof(cli_stability_options, pair),
     .value = "T",
     .text = "belt: follow two motions for T seconds (Theorem 1); 0: none",
     .most = 1e6},
    {.name = "slips",
     .kind = CLI_FLAG,
     .offset = offsetof(cli_stability_options, slips),
     .text = "belt: whether slips repeat, and after how many, by their map and without time steps"},
    {.name = "svg",
     .kind = CLI_TEXT,
     .offset = offsetof(cli_stability_options, svg),
     .value = "FILE",
     .text = "draw it",
     .usual = "none"},
    CLI_JSON_OPTION(cli_stability_options),
};

static const cli_syntax syntax = {
    .verb = "stability",
    .purpose = "Says when steady sliding is unstable: by the eigenvalues of the linearised\n"
               "equations and, with --simulate, by stepping the system with its contact. For the\n"
               "belt, the directions of its motion for which the equilibrium is unstable, and the\n"
               "rotations of the force set from which on there are any; for the other systems the\n"
               "onset, in one of their parameters. Angles in degrees; docs/stability.md explains.\n"
               "Simulating one direction of the belt takes about 5 s.",
    .n_arguments = CLI_COUNT(arguments),
    .n_options = CLI_COUNT(options),
    .arguments = arguments,
    .options = options,
    .exit_codes = "0 done, 1 a step did not converge, interrupted or failed,\n"
                  "           2 bad input or usage",
    .example = "  scree stability belt --set zeta=30\n"
               "  scree stability belt --simulate 6 --svg bifurcation.svg\n"
               "  scree stability belt --pair 30 --svg pair.svg\n"
               "  scree stability belt --set phi=75.5 --slips\n"
               "  scree stability mode-coupling --set c=0.5",
};

static int say_unknown(const char* name)
{
    cli_nearest nearest = cli_nearest_begin(name);
    cli_nearest_consider(&nearest, "belt");
    cli_nearest_consider(&nearest, "creep");
    for (int i = 0; i < scree_mechanism_count(); ++i) {
        cli_nearest_consider(&nearest, scree_mechanism_get(i).name);
    }
    cli_say_unknown(syntax.verb, "unknown system", "", &nearest, arguments[0].text);
    return CLI_BAD_INPUT;
}

int cli_stability(int argc, char** argv)
{
    cli_stability_options o = {.verb = syntax.verb, .simulate = -1};
    int code;
    if (!cli_parse(&syntax, argc, argv, &o, &code)) return code;
    if (o.svg) code = cli_check_output(syntax.verb, o.svg, "");
    if (o.svg && code != CLI_DONE) return code;
    if (strcmp(o.system, "belt") == 0) return cli_stability_belt(&o);
    if (o.pair > 0.0) return cli_usage_error(syntax.verb, "--pair is for the belt");
    if (o.slips) return cli_usage_error(syntax.verb, "--slips is for the belt");
    if (strcmp(o.system, "creep") == 0) return cli_stability_creep(&o);
    int index = cli_find_mechanism(o.system);
    return index < 0 ? say_unknown(o.system) : cli_stability_mechanism(&o, index);
}

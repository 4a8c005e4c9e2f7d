"""Names of properties. They say nothing about causes."""

PROPERTIES = (
    "acidity", "albedo", "brittleness", "charge", "clarity", "coercivity", "density", "dispersion",
    "ductility", "elasticity", "entropy", "fluorescence", "friction", "grain", "hardness", "hue",
    "humidity", "inertia", "luster", "magnetism", "mass", "moisture", "opacity", "permeability",
    "plasticity", "polarity", "porosity", "pressure", "purity", "radiance", "reactivity",
    "refraction", "resistance", "rigidity", "roughness", "salinity", "solubility", "spin",
    "stiffness", "strain", "temperature", "tension", "torsion", "toughness", "turbidity",
    "viscosity", "volatility", "volume",
)  # fmt: skip
